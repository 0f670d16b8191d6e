import type { Part } from '../become.ts'
import { membersOf, textOf } from '../values.ts'
import { type Mapping, made, several } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

const PORTS = { takes: 'data', gives: 'data' }

/** A member that is converted where it stands, or to another place. */
function converted(mode: string, from: string, to: string, write: Parameters<Mapping>[1]) {
  if (from === to) return made({ type: 'convert', fields: { mode, field: from } }, write, PORTS)
  const put = `return { ...$from(nodes["\u{e003}-before"]?.data).json, [${JSON.stringify(to)}]: data[${JSON.stringify(from)}] }`
  return several(
    {
      main: { type: 'convert', fields: { mode, field: from } },
      before: { type: 'transform', title: 'What came in', fields: {}, disabled: true },
      item: { type: 'code', title: `To ${to}`, fields: { code: write.code(put) } }
    },
    write,
    { takes: 'before.data', gives: 'item.result' },
    [
      ['before.data', 'main.data'],
      ['main.data', 'item.data']
    ]
  )
}

/** Rows of a CSV, without the cells that are empty. */
function csvRows(node: N8nNode, write: Writer, file: Part) {
  const { delimiter, includeEmptyCells } = membersOf(node.params.options)
  const sign = (textOf(delimiter) || ',').replace(/^(?:\\t|\t)$/, 'tab')
  const isKnown = /^(?:[,;|]|tab)$/.test(sign)
  if (!isKnown)
    write.tell(`Which sign parts the cells is told from the first line, and not ${JSON.stringify(sign)}.`)
  const fields = { mode: 'CSV to rows', typed: false, delimiter: isKnown ? sign : 'auto' }
  const filled = {
    type: 'code',
    title: 'As n8n gives it',
    fields: {
      code: `return data.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')))`
    }
  }
  const isWhole = includeEmptyCells === true
  return several(
    {
      main: { type: 'extract-text', fields: {} },
      file,
      rows: { type: 'convert', fields },
      ...(!isWhole && { filled })
    },
    write,
    { takes: 'file.data', gives: isWhole ? 'data' : 'result' },
    [
      ['file.result', 'main.file'],
      ['main.text', 'rows.data'],
      ...(isWhole ? [] : [['rows.data', 'filled.data'] as const])
    ]
  )
}

export const extract: Mapping = (node, write) => {
  const { params } = node
  const operation = textOf(params.operation) || 'csv'
  const field = textOf(params.binaryPropertyName) || 'data'
  const to = textOf(params.destinationKey) || 'data'
  const file = {
    type: 'code',
    title: 'The file',
    fields: { code: write.code(`return $json?.[${JSON.stringify(field)}] ?? data`) }
  }
  const links = [['file.result', 'main.file']] as const
  if (/csv/i.test(operation)) return csvRows(node, write, file)
  if (/xls|ods|html/i.test(operation)) {
    const rows = {
      type: 'code',
      title: 'Rows',
      fields: { code: 'return Object.values(data.sheets ?? { rows: data })[0]' }
    }
    write.tell(
      'Dates come as dates, and not as the numbers that Excel keeps; empty cells are null, where n8n leaves them out.'
    )
    return several(
      { main: { type: 'extract-text', fields: {} }, file, rows },
      write,
      { takes: 'file.data', gives: 'result' },
      [...links, ['main.data', 'rows.data']]
    )
  }
  if (/json/i.test(operation)) {
    const item = {
      type: 'transform',
      title: 'As n8n gives it',
      fields: { expression: `{ ${JSON.stringify(to)}: $ }` }
    }
    return several(
      { main: { type: 'convert', fields: { mode: 'JSON to data' } }, file, item },
      write,
      { takes: 'file.data', gives: 'data' },
      [
        ['file.result', 'main.data'],
        ['main.data', 'item.data']
      ]
    )
  }
  if (/binaryToPropery/i.test(operation)) {
    const item = {
      type: 'transform',
      title: 'As n8n gives it',
      fields: { expression: `{ ${JSON.stringify(to)}: $ }` }
    }
    return several(
      { main: { type: 'convert', fields: { mode: 'Text to Base64' } }, file, item },
      write,
      { takes: 'file.data', gives: 'data' },
      [
        ['file.result', 'main.data'],
        ['main.data', 'item.data']
      ]
    )
  }
  const isPdf = /pdf/i.test(operation)
  if (isPdf)
    write.tell(
      'It gives the text: n8n gives numpages, info, metadata and version beside it, and breaks lines its own way.'
    )
  const member = isPdf ? 'text' : to
  const item = {
    type: 'transform',
    title: 'As n8n gives it',
    fields: { expression: `{ ${JSON.stringify(member)}: $ }` }
  }
  return several(
    { main: { type: 'extract-text', fields: {} }, file, item },
    write,
    { takes: 'file.data', gives: 'data' },
    [...links, ['main.text', 'item.data']]
  )
}

export const toFile: Mapping = (node, write) => {
  const { params } = node
  const operation = textOf(params.operation) || 'csv'
  const note = 'What would be in the file goes on as text: send it where it belongs, or as an attachment.'
  const from = textOf(params.sourceProperty)
  if (/toBinary/i.test(operation)) {
    const code = write.code(
      `return { base64: $json[${JSON.stringify(from || 'data')}], filename: ${JSON.stringify(textOf(membersOf(params.options).fileName) || 'file')} }`
    )
    return made(
      { type: 'code', fields: { code } },
      write,
      { takes: 'data', gives: 'result' },
      'The file is {"base64"}, as whatever takes a file takes it.'
    )
  }
  if (/json/i.test(operation))
    return made({ type: 'convert', fields: { mode: 'Data to JSON' } }, write, PORTS, note)
  if (/text|html|ics/i.test(operation))
    return made(
      {
        type: 'code',
        fields: { code: write.code(`return String($json[${JSON.stringify(from || 'data')}] ?? '')`) }
      },
      write,
      { takes: 'data', gives: 'result' },
      note
    )
  return made({ type: 'convert', fields: { mode: 'Rows to CSV' } }, write, PORTS, note)
}

export const moved: Mapping = (node, write) => {
  const key = textOf(node.params.destinationKey) || 'data'
  const toJson = (textOf(node.params.mode) || 'binaryToJson') === 'binaryToJson'
  if (toJson && node.params.setAllData !== false) {
    const from = JSON.stringify(textOf(node.params.sourceKey) || 'data')
    const file = {
      type: 'code',
      title: 'The file',
      fields: { code: write.code(`return $json?.[${from}] ?? data`) }
    }
    return several(
      { main: { type: 'convert', fields: { mode: 'JSON to data' } }, file },
      write,
      { takes: 'file.data', gives: 'main.data' },
      [['file.result', 'main.data']]
    )
  }
  return toJson
    ? converted('JSON to data', key, key, write)
    : made(
        { type: 'convert', fields: { mode: 'Data to JSON' } },
        write,
        PORTS,
        'What would be in the file goes on as text.'
      )
}
