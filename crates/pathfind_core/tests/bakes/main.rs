//! Bakes: levels whose floors and links are known, random scenes against a reference by dense samples, local rebakes
//! against full ones, and bad input.

mod hostile;
mod levels;
mod oracle;
mod rebakes;
mod support;
