//! What holds of flocks as wholes.
