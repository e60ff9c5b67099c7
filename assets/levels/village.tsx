<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="village" tilewidth="16" tileheight="16" tilecount="6" columns="6">
 <image source="village.png" width="96" height="16"/>
 <tile id="1" type="wall"/>
 <tile id="2">
  <properties>
   <property name="terrain" value="mud"/>
  </properties>
 </tile>
 <tile id="3" type="water"/>
 <tile id="4">
  <properties>
   <property name="blocked" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="5">
  <properties>
   <property name="terrain" value="shallow"/>
  </properties>
 </tile>
</tileset>
