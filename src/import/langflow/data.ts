import { type Become, PASSES_ON, single } from '../become.ts'
import { connectionName } from '../connection-names.ts'
import { literalText } from '../expressions/template-text.ts'
import { bounded, listOf, membersOf, textOf } from '../values.ts'
import { apiRequest } from './api-request.ts'
import { fixedTemplate, type SourceOf, wiredTemplate } from './basic.ts'
import { type LangflowNode, textIn, valueIn } from './langflow-node.ts'
import { createData, currentDate, extractKey, operations, select } from './shaping.ts'

const OPERATORS: Readonly<Record<string, string>> = {
  equals: 'equals',
  'not equals': 'does not equal',
  contains: 'contains',
  'starts with': 'starts with',
  'ends with': 'ends with',
  regex: 'matches',
  'less than': 'is less than',
  'less than or equal': 'is at most',
  'greater than': 'is greater than',
  'greater than or equal': 'is at least'
}

function ifElse(node: LangflowNode, sourceOf: SourceOf): Become {
  const named = textIn(node, 'operator')
  const operator = OPERATORS[named] ?? 'equals'
  const left = node.wired.has('input_text') ? '{$data}' : fixedTemplate(node, 'input_text')
  const right = wiredTemplate(node, 'match_text', sourceOf)
  const isBlind = valueIn(node, 'case_sensitive') === false
  const notes = [
    named === '' || Object.hasOwn(OPERATORS, named)
      ? ''
      : `Nothing here compares by "${named}": it is "equals".`,
    isBlind ? 'Upper and lower case differ here.' : '',
    operator === 'matches' ? 'A pattern may match anywhere; begin it with ^ for the beginning.' : '',
    ['true_case_message', 'false_case_message'].some((name) => textIn(node, name) !== '')
      ? 'What goes on is what came in: put a Prompt behind it for another text.'
      : ''
  ]
  return {
    ...single(
      { type: 'if-else', fields: { left: left || '{$data}', operator, right } },
      {},
      { note: notes.filter(Boolean).join(' ') }
    ),
    takes: () => 'main.data',
    gives: (output) => (/false/i.test(output) ? 'main.false' : 'main.true')
  }
}

/** What stands between its item and the way back is inside of it. */
function loop(): Become {
  return {
    verdict: 'exact',
    note: '',
    parts: { main: { type: 'for-each', fields: {} } },
    takes: (input) => (input.startsWith('loop:') ? 'main.result' : 'main.items'),
    gives: (output) => (output === 'item' ? 'main.item' : 'main.results')
  }
}

/** Of several pages the first: others are read by others. */
function webPage(node: LangflowNode): Become {
  const urls = listOf(valueIn(node, 'urls'))
    .map(textOf)
    .filter((url) => url !== '')
  const url =
    node.wired.has('urls') || node.wired.has('text')
      ? '{$data}'
      : literalText(urls[0] ?? textIn(node, 'urls', 'url'))
  const isHtml = /html/i.test(textIn(node, 'format')) && !/text/i.test(textIn(node, 'format'))
  const more =
    urls.length > 1
      ? `It read ${urls.length} pages; here it reads the first: copy it for ${urls.slice(1).join(', ')}.`
      : ''
  return {
    verdict: 'adapted',
    note: `One page is read as text; links are not followed. ${more}`.trim(),
    parts: {
      main: { type: 'api-request', fields: { method: 'GET', url, response_type: 'Text' } },
      text: isHtml ? PASSES_ON : { type: 'convert', title: 'As text', fields: { mode: 'HTML to text' } }
    },
    links: [['main.body', 'text.data']],
    takes: () => 'main.data',
    gives: () => 'text.data'
  }
}

function readFile(node: LangflowNode): Become {
  const paths = listOf(valueIn(node, 'path', 'file_path', 'files')).map(textOf)
  const which = paths.length > 0 ? ` (${paths.join(', ').slice(0, 200)})` : ''
  return {
    verdict: 'adapted',
    note: `The file${which} lay beside Langflow. Send it with the run: by a Form, a Webhook or POST /api/v1/files, and wire that to this node.`,
    parts: { main: { type: 'extract-text', fields: {} } },
    takes: () => 'main.file',
    gives: (output) => (/dataframe|structured|data/.test(output) ? 'main.data' : 'main.text')
  }
}

function splitText(node: LangflowNode): Become {
  const length = bounded(valueIn(node, 'chunk_size'), 1, 1_000_000) ?? 1000
  const overlap = Math.min(length - 1, bounded(valueIn(node, 'chunk_overlap'), 0, 1_000_000) ?? 200)
  const note = 'It gives a list of texts; pieces end at the end of a paragraph, a line or a word.'
  return single(
    { type: 'split-text', fields: { mode: 'Length', length, overlap } },
    { takes: 'text', gives: 'data' },
    { note }
  )
}

/** What has another form on its way to a file is written there by nobody. */
function saveFile(node: LangflowNode): Become {
  const format = textIn(node, 'file_format', 'local_format').toLowerCase()
  const fields = /csv|excel/.test(format) ? { mode: 'Rows to CSV' } : { mode: 'Data to JSON', indent: 2 }
  const isText = /txt|markdown|html|^$/.test(format)
  return single(
    isText ? { type: 'parser', fields: { mode: 'Stringify' } } : { type: 'convert', fields },
    isText ? { takes: 'data', gives: 'parsed_text' } : { takes: 'data', gives: 'data' },
    {
      note: 'No file is written beside the service: what it would hold goes on. Send it where it belongs by API Request or e-mail.'
    }
  )
}

function sql(node: LangflowNode, sourceOf: SourceOf): Become {
  const url = textIn(node, 'database_url')
  const kind = /^mysql|mariadb/i.test(url) ? 'mysql' : /^sqlite/i.test(url) ? 'sqlite' : 'postgres'
  const connection = {
    name: connectionName(url.includes('/') ? `${kind}-database` : url || 'database'),
    kind
  }
  const query = node.wired.has('query') ? '' : textIn(node, 'query')
  const note = node.wired.has('query')
    ? 'A query that a wire brings is not run: write it into the SQL node, with :names for values.'
    : ''
  void sourceOf
  return {
    ...single(
      { type: 'sql', fields: { connection: connection.name, query } },
      { takes: 'data', gives: 'rows' },
      { note }
    ),
    connections: [connection]
  }
}

function runFlow(node: LangflowNode): Become {
  const name = textIn(node, 'flow_name_selected', 'flow_name')
  const flow = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return {
    verdict: 'adapted',
    note:
      flow === ''
        ? 'Choose the flow that it runs.'
        : `It runs the flow with the slug "${flow}": import that too, or choose another.`,
    parts: { main: { type: 'run-flow', fields: { flow } } },
    takes: () => 'main.data',
    gives: (output) => (/tool/.test(output) ? 'main.tools' : 'main.data')
  }
}

function mcpTools(node: LangflowNode): Become {
  const server = membersOf(valueIn(node, 'mcp_server'))
  const name = connectionName(textOf(server.name) || textIn(node, 'mcp_server'), 'mcp')
  return {
    ...single({ type: 'mcp-tools', fields: { connection: name } }, { takes: 'data', gives: 'tools' }),
    takes: () => undefined,
    connections: [{ name, kind: 'mcp' }]
  }
}

export const DATA: Readonly<Record<string, (node: LangflowNode, sourceOf: SourceOf) => Become | undefined>> =
  {
    ConditionalRouter: ifElse,
    IfElse: ifElse,
    LoopComponent: loop,
    Loop: loop,
    APIRequest: apiRequest,
    URL: webPage,
    URLComponent: webPage,
    File: readFile,
    FileComponent: readFile,
    Directory: readFile,
    DoclingInlineComponent: readFile,
    FileContentRetriever: readFile,
    LoadCSV: readFile,
    LoadJSON: readFile,
    SplitText: splitText,
    SplitTextComponent: splitText,
    RecursiveCharacterTextSplitter: splitText,
    SaveToFile: saveFile,
    SaveFile: saveFile,
    SQLComponent: sql,
    SQLExecutor: sql,
    RunFlow: runFlow,
    SubFlow: runFlow,
    CreateData: createData,
    DynamicCreateData: createData,
    UpdateData: createData,
    FilterData: select,
    SelectData: select,
    ExtractKey: extractKey,
    ExtractDataKey: extractKey,
    Operations: operations,
    DataOperations: operations,
    DataFrameOperations: operations,
    TextOperations: operations,
    MergeData: operations,
    MergeDataComponent: operations,
    CurrentDate: currentDate,
    MCPTools: mcpTools,
    MCP: mcpTools,
    MCPToolsComponent: mcpTools
  }
