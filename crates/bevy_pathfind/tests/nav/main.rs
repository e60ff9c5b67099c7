//! The plugin as an application sees it, headless: one binary, a module a theme.

mod company;
mod edits;
mod failures;
mod lifecycle;
mod modes;
mod pursuit;
mod queue;
mod scenes;
mod support;
mod walking;
mod wiring;
