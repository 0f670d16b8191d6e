import { PASSES_ON, type Part } from '../become.ts'
import { textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'

/** Ways from one flow into another: subflows, and links that are called. */

/** What the flow of a subflow gives is by output: `{ "o0": message }`. */
const subflow: Mapping = (node, write, { flowOf }) => {
  const slug = flowOf(node.id)
  if (slug === undefined) return undefined
  write.tell(`It is the flow "${slug}", which is imported with it.`)
  const parts: Record<string, Part> = { main: { type: 'run-flow', fields: { flow: slug } } }
  const links: [string, string][] = []
  for (const at of node.wires.slice(0, 50).keys()) {
    parts[`out${at + 1}`] = {
      type: 'code',
      title: `${node.title}: output ${at + 1}`.slice(0, 200),
      fields: { code: `return data?.o${at}` }
    }
    links.push(['main.data', `out${at + 1}.data`])
  }
  return write.become(parts, (output) => `out${Number(output) + 1}.result`, links)
}

/** Runs what another tab has behind a Link in, and takes what it sends back. */
const linkCall: Mapping = (node, write, { flowOf }) => {
  const slug = flowOf(node.id)
  if (slug === undefined) return undefined
  write.tell(`It runs the flow "${slug}", which begins with the link that it calls.`)
  const parts = {
    main: { type: 'run-flow', fields: { flow: slug } },
    message: { type: 'code', title: 'What came back', fields: { code: `return data?.o0 ?? undefined` } }
  }
  return write.become(parts, 'message.result', [['main.data', 'message.data']])
}

/** Leads into another tab, or back to whoever called; links within one tab are wires. */
const linkOut: Mapping = (node, write, { flowOf }) => {
  if (textOf(node.raw.mode) === 'return') {
    write.tell('It gives the message back to the flow that runs this one.')
    return write.become(
      {
        main: { type: 'return', fields: {} },
        given: { type: 'code', title: 'What is given back', fields: { code: 'return { o0: data }' } }
      },
      undefined,
      [['given.result', 'main.data']],
      { takes: 'given.data' }
    )
  }
  const slug = flowOf(node.id)
  if (slug === undefined) return write.become({ main: PASSES_ON }, 'main.data')
  write.tell(`It runs the flow "${slug}", which begins with the link that it leads to.`)
  return write.become({ main: { type: 'run-flow', fields: { flow: slug, wait: false } } }, undefined)
}

/** Not of Node-RED: what the flow of a subflow, or of a link, begins and ends with. */
export const CALLED: Part = {
  type: 'webhook',
  title: 'What the other flow sends',
  fields: {}
}

export const PASSAGES: Readonly<Record<string, Mapping>> = {
  subflow,
  'link call': linkCall,
  'link out': linkOut
}
