//! Scene 11: despawned or re-targeted mid-request: work cancelled, nothing stale applied.
