/** How a public chat looks: one column, as narrow as a telephone or the frame of a widget. */
export const CHAT_STYLE = `:root{--ground:#f1f4f6;--surface:#fff;--line:#d5dde2;--border:#73838e;--text:#16212a;--quiet:#4d5b66;--accent:#0b6477;--on-accent:#fff;--fault:#b3261e;color-scheme:light}
@media (prefers-color-scheme:dark){:root{--ground:#0f1518;--surface:#182126;--line:#2f3b43;--border:#7b8d99;--text:#e8eef1;--quiet:#a9b8c2;--accent:#5cbdd2;--on-accent:#06222a;--fault:#ff9b92;color-scheme:dark}}
*{box-sizing:border-box}
html{height:100%}
body{display:flex;flex-direction:column;height:100%;max-width:48rem;margin:0 auto;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
html{background:var(--ground)}
header{display:flex;gap:1rem;align-items:center;padding:.75rem 1rem;border-bottom:1px solid var(--line)}
h1{flex:1;margin:0;font-size:1.1rem;line-height:1.3;overflow-wrap:anywhere;unicode-bidi:plaintext}
main{flex:1;min-height:0;display:flex;flex-direction:column}
#log{flex:1;min-height:0;overflow-y:auto;padding:1rem;display:flex;flex-direction:column;gap:.75rem;scrollbar-gutter:stable}
.said,.asked{max-width:88%;padding:.6rem .9rem;border-radius:14px;overflow-wrap:anywhere;unicode-bidi:plaintext}
.said{align-self:flex-start;background:var(--surface);border:1px solid var(--line);border-bottom-left-radius:4px}
.asked{align-self:flex-end;background:var(--accent);color:var(--on-accent);border-bottom-right-radius:4px;white-space:pre-wrap}
.said>*{margin:.5rem 0;unicode-bidi:plaintext}
.said>:first-child{margin-top:0}
.said>:last-child{margin-bottom:0}
.said ul,.said ol{padding-left:1.4rem}
.said pre{overflow-x:auto;padding:.6rem;background:var(--ground);border-radius:6px;font-size:.875rem;unicode-bidi:normal}
.said code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
.said blockquote{padding-left:.75rem;border-left:3px solid var(--line);color:var(--quiet)}
.said a{color:var(--accent)}
.coming::after{content:"";display:inline-block;width:.5rem;height:.5rem;border-radius:50%;background:var(--quiet)}
@media (prefers-reduced-motion:no-preference){.coming::after{animation:beat 1s infinite alternate}}
@keyframes beat{to{opacity:.2}}
#problem{margin:0;padding:.5rem 1rem;color:var(--fault);font-weight:600}
form{display:flex;gap:.5rem;align-items:flex-end;padding:.75rem 1rem;border-top:1px solid var(--line)}
form label{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
textarea{flex:1;min-width:0;min-height:2.75rem;max-height:10rem;padding:.6rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--border);border-radius:10px;resize:none;unicode-bidi:plaintext}
button{min-height:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:650;color:var(--on-accent);background:var(--accent);border:0;border-radius:10px;cursor:pointer}
#anew{min-height:2.25rem;padding:.25rem .75rem;font-weight:400;color:var(--text);background:none;border:1px solid var(--border)}
button:focus-visible,textarea:focus-visible,a:focus-visible,#log:focus-visible{outline:3px solid var(--text);outline-offset:2px}
[hidden]{display:none!important}
.notice main,noscript p{padding:2rem 1rem}
@media (forced-colors:active){button,.asked{border:1px solid}}`
