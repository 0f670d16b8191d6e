import type { Plugin } from 'vite'

const NAMING = /^\w+\.displayName = '\w+';$/gm
/** Keys that nodes and wires here do not have: they are not focused by themselves. */
const KEYS = /^( +'(?:node|edge)\.a11yDescription\.\w+': )'[^']*'/gm
/** What it tells those who build with it, who read its documentation by the number. */
const ADVICE = /^( +error\d+: \([^)]*\) => )[`'"].*$/gm
const MAKING = /^(const \w+ = )((?:memo|forwardRef)\()/gm

/**
 * Lets the build drop the parts of React Flow that the page does not use: its map, its buttons, its grounds. They are
 * given a name for a debugger, and are made by a call, which a build has to take for something that has effects. What it tells
 * of its own keys goes with them.
 */
export function unusedCanvasParts(): Plugin {
  return {
    name: 'millrace:unused-canvas-parts',
    apply: 'build',
    transform: {
      filter: { id: /@xyflow\/(?:react|system)\/dist\/esm\/index\.js$/ },
      handler: (code) => ({
        code: code
          .replaceAll(NAMING, '')
          .replaceAll(KEYS, "$1''")
          .replaceAll(ADVICE, "$1'',")
          .replaceAll(MAKING, '$1/* @__PURE__ */ $2'),
        map: null
      })
    }
  }
}
