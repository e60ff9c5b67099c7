//! A sorted uniform grid over positions: who is near whom.
