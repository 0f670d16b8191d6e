import { defineComponent, type FieldFault, isPlainObject, type JsonValue } from '../../plugin-api.ts'
import { readValue } from './given-documents.ts'
import { selectorFault } from './selector-fault.ts'

/** Takes values out of HTML. */
export const html = defineComponent({
  type: 'html',
  title: 'HTML',
  description: 'Takes texts and attributes out of a page by CSS selectors: once, or for each of its parts.',
  category: 'Data',
  icon: 'code',
  keywords: [
    'extract',
    'scrape',
    'scraping',
    'css',
    'selector',
    'page',
    'website',
    'parse html',
    'dom',
    'crawl'
  ],
  example: 'Each article of a page becomes {"title", "link"}: h2 and a@href.',
  effects: 'pure',
  fields: {
    each: {
      kind: 'text',
      title: 'For each',
      help: 'A CSS selector: the values are read in each element that it finds, and a list leaves. Empty: once, in the whole page.',
      placeholder: 'article'
    },
    values: {
      kind: 'json',
      title: 'Values',
      help: 'By name, where the value is: a CSS selector for its text, or selector@attribute. @href alone is an attribute of the element itself.',
      default: { title: 'h1' }
    }
  },
  inputs: { data: { title: 'HTML', type: 'any', help: 'A text or a file.' } },
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'An object with the values, or a list of them; null where nothing is found.'
    }
  },
  check: (fields) => faultsOf(fields),
  run: async ({ inputs, fields, files, readDocuments, pause }) => {
    const { each, values } = fields
    const task = { kind: 'select', each, values: selectorsIn(values) } as const
    return { data: await readValue(inputs.data, task, { files, readDocuments, pause }) }
  }
})

function selectorsIn(values: JsonValue): Record<string, string> {
  return isPlainObject(values) ? (values as Record<string, string>) : {}
}

interface Written {
  readonly each: string
  readonly values: JsonValue
}

function faultsOf({ each, values }: Written): FieldFault[] {
  const eachFault = each.trim() === '' ? undefined : selectorFault(each)
  const faults: FieldFault[] = eachFault === undefined ? [] : [{ field: 'each', message: eachFault }]
  if (!isPlainObject(values))
    return [
      ...faults,
      { field: 'values', message: 'It has to be an object of selectors, such as {"title": "h1"}.' }
    ]
  if (Object.keys(values).length === 0 && each.trim() === '')
    faults.push({ field: 'values', message: 'It is empty. Name a value and its selector: {"title": "h1"}.' })
  for (const [name, selector] of Object.entries(values)) {
    const message = typeof selector === 'string' ? valueFault(selector) : 'It is not a text'
    if (message !== undefined)
      faults.push({ field: 'values', message: `"${name.slice(0, 100)}": ${message}` })
  }
  return faults
}

const ATTRIBUTE = /@[^\s@"'[\]()>+~]+\s*$/

function valueFault(selector: string): string | undefined {
  const css = selector.replace(ATTRIBUTE, '').trim()
  if (css !== '') return selectorFault(css)
  return selector.trim() === '' ? 'It is empty. Write a selector, such as h1 or a@href.' : undefined
}
