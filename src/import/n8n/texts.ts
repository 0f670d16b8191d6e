import { type Members, membersIn, membersOf, textOf } from '../values.ts'
import { dateTime } from './date-time.ts'
import { extract, moved, toFile } from './files.ts'
import { type Mapping, made, perItem, several } from './mapping.ts'
import { isWritten } from './n8n-text.ts'

const PORTS = { takes: 'data', gives: 'data' }

const markdown: Mapping = (node, write) => {
  const { params } = node
  const toHtml = params.mode === 'markdownToHtml'
  const value = toHtml ? params.markdown : params.html
  const to = textOf(params.destinationKey) || 'data'
  write.tell(
    toHtml
      ? 'Headings get no ids here.'
      : 'Marks of lists and of emphasis, and blank lines, may be written in another way than there.'
  )
  return several(
    {
      main: {
        type: 'convert',
        fields: { mode: toHtml ? 'Markdown to HTML' : 'HTML to Markdown', field: to }
      },
      given: {
        type: 'code',
        title: 'With the text',
        fields: {
          code: write.code(`return { ...$json, ${JSON.stringify(to)}: String(${write.js(value)} ?? '') }`)
        }
      }
    },
    write,
    { takes: 'given.data', gives: 'main.data' },
    [['given.result', 'main.data']]
  )
}

const html: Mapping = (node, write, place) => {
  const { params } = node
  const operation = textOf(params.operation) || 'generateHtmlTemplate'
  if (operation === 'generateHtmlTemplate')
    return perItem(write, place, `return { html: ${write.js(params.html)} }`)
  if (operation === 'convertToHtmlTable')
    return made({ type: 'code', fields: { code: write.code(TABLE) } }, write, {
      takes: 'data',
      gives: 'result'
    })
  const rows = membersIn(membersOf(params.extractionValues).values)
  const isList = rows.some(({ returnArray }) => returnArray === true)
  const values = Object.fromEntries(
    rows.filter(({ key }) => textOf(key) !== '').map((row) => [textOf(row.key), selectorOf(row)])
  )
  const from = textOf(params.dataPropertyName) || 'data'
  const asked = new Set(rows.map(({ returnValue }) => textOf(returnValue) || 'text'))
  if (asked.has('text')) write.tell('Texts come without the line breaks and links that n8n writes into them.')
  if (asked.has('html')) write.tell('Where n8n gave the HTML of an element it gives the text.')
  if (isList)
    write.tell('Of values that are lists there it gives the first: set "each" for a list of objects.')
  const given = {
    type: 'code',
    title: 'The page',
    fields: {
      code: write.code(
        `const $page = $json?.[${JSON.stringify(from)}] ?? data\nreturn typeof $page === 'object' ? $page : String($page)`
      )
    }
  }
  return several(
    { main: { type: 'html', fields: { values } }, page: given },
    write,
    { takes: 'page.data', gives: 'main.data' },
    [['page.result', 'main.data']]
  )
}

function selectorOf({ cssSelector, returnValue, attribute }: Members): string {
  const selector = isWritten(cssSelector) ? 'body' : textOf(cssSelector) || 'body'
  if (returnValue === 'value') return `${selector}@value`
  return returnValue === 'attribute' && textOf(attribute) !== ''
    ? `${selector}@${textOf(attribute)}`
    : selector
}

const TABLE = `const $rows = $list(data), $names = [...new Set($rows.flatMap((row) => Object.keys(row)))]
const $safe = (value) => String(value ?? '').replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])
return { table: '<table><tr>' + $names.map((name) => '<th>' + $safe(name) + '</th>').join('') + '</tr>' + $rows.map((row) => '<tr>' + $names.map((name) => '<td>' + $safe(row[name]) + '</td>').join('') + '</tr>').join('') + '</table>' }`

const xml: Mapping = (node, write) => {
  const { params } = node
  const field = textOf(params.dataPropertyName) || 'data'
  const mode = params.mode === 'jsonToxml' ? 'Data to XML' : 'XML to data'
  if (mode === 'Data to XML') write.tell('It is written without line breaks.')
  return mode === 'XML to data'
    ? several(
        {
          main: { type: 'convert', fields: { mode, field } },
          item: {
            type: 'code',
            title: 'As n8n gives it',
            fields: { code: `return data[${JSON.stringify(field)}]` }
          }
        },
        write,
        { takes: 'data', gives: 'result' },
        [['main.data', 'item.data']]
      )
    : several(
        {
          main: { type: 'convert', fields: { mode } },
          item: {
            type: 'transform',
            title: 'As n8n gives it',
            fields: { expression: `{ ${JSON.stringify(field)}: $ }` }
          }
        },
        write,
        { takes: 'data', gives: 'data' },
        [['main.data', 'item.data']]
      )
}

const crypto: Mapping = (node, write) => {
  const { params } = node
  const action = textOf(params.action) || 'hash'
  const as = textOf(params.dataPropertyName) || 'data'
  if (action === 'generate')
    return made(
      {
        type: 'random-id',
        fields: {
          as,
          kind:
            textOf(params.encodingType) === 'uuid' || params.encodingType === undefined
              ? 'UUID v4'
              : 'Short id'
        }
      },
      write,
      PORTS
    )
  const algorithm = textOf(params.type).toLowerCase().replace('-', '') || 'md5'
  const known = ['sha256', 'sha384', 'sha512', 'sha1', 'md5']
  const fields = {
    text: write.template(params.value),
    algorithm: known.includes(algorithm) ? algorithm : 'sha256',
    encoding: params.encoding === 'base64' ? 'base64' : 'hex',
    as,
    ...(action === 'hmac' && { key: isWritten(params.secret) ? '' : textOf(params.secret) })
  }
  return made(
    { type: 'hash', fields },
    write,
    PORTS,
    action === 'sign' ? 'It signed with a private key, which is to be done elsewhere.' : ''
  )
}

const quickChart: Mapping = (node, write) =>
  made(
    {
      type: 'api-request',
      fields: {
        method: 'GET',
        url: 'https://quickchart.io/chart',
        query: { c: write.template(node.params.chartOptions ?? '{}') },
        response_type: 'Binary'
      }
    },
    write,
    { takes: 'data', gives: 'body' }
  )

const form: Mapping = (node, write) => {
  const html = `<h1>${write.template(node.params.completionTitle)}</h1><p>${write.template(node.params.completionMessage)}</p>`
  return made(
    { type: 'respond', fields: { body: html, content_type: 'text/html' } },
    write,
    PORTS,
    'A Form shows what its "thanks" says: write these words there.'
  )
}

export const TEXTS: Readonly<Record<string, Mapping>> = {
  markdown,
  html,
  htmlExtract: html,
  xml,
  extractFromFile: extract,
  readPDF: (node, write, place) =>
    extract({ ...node, params: { ...node.params, operation: 'pdf' } }, write, place),
  spreadsheetFile: (node, write, place) =>
    /toFile/i.test(textOf(node.params.operation)) ? toFile(node, write, place) : extract(node, write, place),
  convertToFile: toFile,
  moveBinaryData: moved,
  dateTime,
  crypto,
  quickChart,
  'form/completion': form
}
