//! Scene 8: an agent ten cells a tick fast follows its waypoints; one pushed off its path recovers.
