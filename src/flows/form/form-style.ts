import type { Form } from './form.ts'

const LIGHT =
  '--ground:#f1f4f6;--surface:#fff;--border:#73838e;--line:#d5dde2;--text:#16212a;--quiet:#4d5b66;--accent:#0b6477;--on-accent:#fff;--fault:#b3261e;--fault-ground:#fdf0ef;color-scheme:light'
const DARK =
  '--ground:#0f1518;--surface:#182126;--border:#7b8d99;--line:#2f3b43;--text:#e8eef1;--quiet:#a9b8c2;--accent:#5cbdd2;--on-accent:#06222a;--fault:#ff9b92;--fault-ground:#3a1f1d;color-scheme:dark'

/** How a form looks, wherever it is shown. Its widths follow from where it stands, so that it fits into a frame on another page. */
const STYLE = `.page{${LIGHT};box-sizing:border-box;min-height:100%;margin:0;padding:clamp(0px,4%,3rem) clamp(0px,2%,1rem);background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
@media (prefers-color-scheme:dark){.page:not([data-scheme=light]){${DARK}}}
.page[data-scheme=dark]{${DARK}}
.page *{box-sizing:border-box}
main{position:relative;max-width:36rem;margin:0 auto;padding:clamp(1.25rem,5%,2.5rem);background:var(--surface);border-top:4px solid var(--accent);border-radius:10px;box-shadow:0 1px 2px #0002,0 8px 24px #0001;overflow-wrap:anywhere}
.picture{display:block;max-width:100%;max-height:12rem;margin:0 0 1.25rem;border-radius:6px}
h1{margin:0;font-size:1.6rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;unicode-bidi:plaintext}
h1:focus{outline:none}
.description{margin:.5rem 0 0;color:var(--quiet);white-space:pre-line;unicode-bidi:plaintext}
form{margin:1.75rem 0 0}
.field{min-width:0;margin:0 0 1.5rem;padding:0;border:0}
.field>label:first-child,legend{display:block;padding:0;font-weight:600;unicode-bidi:plaintext}
.optional{color:var(--quiet);font-weight:400}
.help{margin:.1rem 0 0;color:var(--quiet);font-size:.9rem;white-space:pre-line;unicode-bidi:plaintext}
.control{display:block;width:100%;min-height:2.875rem;margin:.4rem 0 0;padding:.6rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--border);border-radius:8px;unicode-bidi:plaintext}
textarea.control{min-height:8rem;resize:vertical}
select.control{text-overflow:ellipsis}
input[type=file].control{padding:.5rem}
input::file-selector-button{margin:0 .75rem 0 0;padding:.3rem .75rem;font:inherit;font-weight:600;color:inherit;background:var(--ground);border:1px solid var(--border);border-radius:6px}
.tick{display:flex;gap:.65rem;align-items:flex-start;min-height:2rem;padding:.35rem 0;font-weight:400;cursor:pointer}
.field>.tick:first-child{display:flex;font-weight:400}
.tick input{flex:none;width:1.25rem;height:1.25rem;margin:.13rem 0 0;accent-color:var(--accent)}
.control:focus-visible,.tick input:focus-visible,a:focus-visible,button:focus-visible{outline:3px solid var(--text);outline-offset:2px}
[aria-invalid=true].control{border-color:var(--fault);box-shadow:inset 0 0 0 1px var(--fault)}
.fault{margin:.4rem 0 0;color:var(--fault);font-weight:500}
.fault[hidden]{display:none}
.problem{margin:1.5rem 0 0;padding:.9rem 1.1rem;background:var(--fault-ground);border:1px solid var(--fault);border-radius:8px}
.problem:focus{outline:none}
.problem p{margin:0;font-weight:600}
.problem .again{margin:.35rem 0 0;font-weight:400}
.problem ul{margin:.35rem 0 0;padding:0 0 0 1.2rem}
.problem a{color:inherit}
.send{margin:2rem 0 0}
.send button{min-width:9rem;min-height:3rem;padding:.6rem 1.75rem;font:inherit;font-weight:650;color:var(--on-accent);background:var(--accent);border:0;border-radius:8px;cursor:pointer;overflow-wrap:anywhere}
.send button:hover{filter:brightness(1.08)}
.send button[aria-disabled=true]{filter:saturate(.4);cursor:progress}
.progress{margin:0 0 1rem;color:var(--quiet)}
.progress progress{display:block;width:100%;height:.6rem;margin:.4rem 0 0;accent-color:var(--accent)}
.trap{position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden}
.said h1{margin:0 0 .75rem}
.thanks{margin:0;font-size:1.125rem;white-space:pre-line;unicode-bidi:plaintext}
@media (forced-colors:active){.send button{border:1px solid}}`

/** With the colour of the form, where it has one of its own. */
export function formStyle({ accent }: Pick<Form, 'accent'>): string {
  if (accent === '') return STYLE
  return `${STYLE}
.page,.page:not([data-scheme=light]),.page[data-scheme=dark]{--accent:${accent};--on-accent:${onColour(accent)}}`
}

/** Black or white, whichever is read better on it: by the luminance of WCAG. */
function onColour(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000'
}
