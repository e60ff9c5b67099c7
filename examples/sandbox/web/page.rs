//! The functions of the page's script, `examples/web/page.js`, which says what they do.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/web/page.js")]
extern "C" {
    #[wasm_bindgen(js_name = link)]
    fn link_words() -> Vec<String>;
    pub(crate) fn has_new_link() -> bool;
    pub(crate) fn set_link(text: &str);

    pub(crate) fn wants_telemetry() -> bool;
    pub(crate) fn publish(line: &str);

    pub(crate) fn ready();
    pub(crate) fn fail(message: &str);
    pub(crate) fn width() -> f32;
    pub(crate) fn height() -> f32;

    pub(crate) fn dropped_name() -> Option<String>;
    pub(crate) fn take_dropped() -> Vec<u8>;

    pub(crate) fn stored_names() -> Vec<String>;
    pub(crate) fn stored(name: &str) -> Option<String>;
    pub(crate) fn store(name: &str, text: &str) -> bool;
    pub(crate) fn forget(name: &str);
    pub(crate) fn download(name: &str, text: &str);
}

/// The parameters of the address behind `#`: names and values.
pub(crate) fn link() -> Vec<(String, String)> {
    link_words().chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}
