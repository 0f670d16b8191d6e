import type { Plugin } from 'vite'

const NAMING = /^\w+\.displayName = '\w+';$/gm
const MAKING = /^(const \w+ = )((?:memo|forwardRef)\()/gm

/**
 * Lets the build drop the parts of React Flow that the page does not use: its map, its buttons, its grounds. They are
 * given a name for a debugger, and are made by a call, which a build has to take for something that has effects.
 */
export function unusedCanvasParts(): Plugin {
  return {
    name: 'millrace:unused-canvas-parts',
    apply: 'build',
    transform: {
      filter: { id: /@xyflow\/react\/dist\/esm\/index\.js$/ },
      handler: (code) => ({
        code: code.replaceAll(NAMING, '').replaceAll(MAKING, '$1/* @__PURE__ */ $2'),
        map: null
      })
    }
  }
}
