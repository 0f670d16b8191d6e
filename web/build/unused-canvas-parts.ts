import type { Plugin } from 'vite'

const NAMING = /^\w+\.displayName = '\w+';$/gm
/** Keys that nodes and wires here do not have: they are not focused by themselves. */
const KEYS = /^( +'(?:node|edge)\.a11yDescription\.\w+': )'[^']*'/gm
/** What it tells those who build with it, who read its documentation by the number. */
const ADVICE = /^( +error\d+: \([^)]*\) => )[`'"].*$/gm
const MAKING = /^(const \w+ = )((?:memo|forwardRef)\()/gm
/** The canvas never moves in a straight line from one zoom to another. */
const STRAIGHT = /options\?\.interpolate === 'linear' \? interpolate : interpolateZoom/g
/** Only the canvas moves smoothly, by a tween of its own: no attribute, style or text does. */
const CHANGING = /^ +(?:attr|style|text)(?:Tween)?: transition_\w+,$/gm
/** Ways from one color or text to another. */
const WAYS = /^(var \w+ = )(?=\(function|(?:rgbSpline|interpolateTransform|hsl|hcl|cubehelix)\()/gm

/**
 * Lets the build drop the parts of React Flow, and of what it moves with, that the page does not use: its map, its buttons,
 * its grounds, and 6 kB of colors. They are given a name for a debugger, or are made by a call, which a build has to take for
 * something that has effects. What it tells of its own keys goes with them.
 */
export function unusedCanvasParts(): Plugin {
  return {
    name: 'millrace:unused-canvas-parts',
    apply: 'build',
    transform: {
      filter: {
        id: /@xyflow\/(?:react|system)\/dist\/esm\/index\.js$|\/d3-(?:transition|interpolate)\.mjs$/
      },
      handler: (code) => ({
        code: code
          .replaceAll(NAMING, '')
          .replaceAll(KEYS, "$1''")
          .replaceAll(ADVICE, "$1'',")
          .replaceAll(MAKING, '$1/* @__PURE__ */ $2')
          .replaceAll(STRAIGHT, 'interpolateZoom')
          .replaceAll(CHANGING, '')
          .replaceAll(WAYS, '$1/* @__PURE__ */ '),
        map: null
      })
    }
  }
}
