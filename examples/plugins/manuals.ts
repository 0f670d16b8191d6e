import type { Context } from 'millrace'

const MANUALS: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Pump', text: 'Bleed the pump before the first start.' },
  { title: 'Valve', text: 'Open the valve by half a turn.' }
]

export default async function manuals(context: Context) {
  context.component({
    type: 'search-manuals',
    title: 'Search manuals',
    description: 'Finds the manuals that a word stands in.',
    effects: 'pure',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: {
      matches: { title: 'Matches', type: 'table' },
      tools: { title: 'Tools', type: 'tools' }
    },
    run: ({ inputs }) => ({ matches: search(inputs.data.word) }),
    tools: {
      offer: () => [
        {
          name: 'search_manuals',
          description: 'Finds the manuals that a word stands in. Use it before you answer.',
          parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
        }
      ],
      call: (_step, { arguments: given }) => ({ matches: search(String(given.query)) })
    }
  })
}

function search(word: string) {
  return MANUALS.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()))
}
