//! Scene 10: a hundred units sent to one point settle within seconds.
