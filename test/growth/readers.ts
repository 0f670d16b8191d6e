import { CHAT_READERS } from './chat-readers.ts'
import { COMPONENT_READERS } from './component-readers.ts'
import { DOCUMENT_READERS } from './document-readers.ts'
import { IMPORT_READERS } from './import-readers.ts'
import { OPERATION_READERS } from './operation-readers.ts'
import { REQUEST_READERS } from './request-readers.ts'
import type { Reader } from './shapes.ts'

export const READERS: readonly Reader[] = [
  ...DOCUMENT_READERS,
  ...COMPONENT_READERS,
  ...OPERATION_READERS,
  ...IMPORT_READERS,
  ...REQUEST_READERS,
  ...CHAT_READERS
]

/** Files that are named as readers are, and read nothing of any length that others choose. */
export const NO_READERS: Readonly<Record<string, string>> = {
  'src/components/data/csv-parse.ts': 'Convert',
  'src/components/data/date-parse.ts': 'Date and Convert',
  'src/components/data/read-date.ts': 'Date and Convert',
  'src/components/data/read-files.ts': 'Convert and Hash; files of a step have 25 MB together',
  'src/documents/document-reader.ts': 'asks a process that reads, by its time and memory',
  'src/documents/read-document.ts': 'in that process',
  'src/documents/decode-text.ts': 'in that process',
  'src/flow-files/read-yaml.ts':
    'files of whoever runs the command or the service; what names, aliases and levels cost is in its test',
  'src/startup/flow-folder/read-flow-folder.ts': 'a folder of whoever runs the service',
  'src/components/http/read-answer.ts': 'bytes as they come; what is parsed of them is a reader of its own',
  'src/connections/check-connection.ts': 'settings of a connection, of a few members',
  'src/connections/documents/parse-document.ts': 'in a process of its own, by its time and memory',
  'src/connections/documents/read-body.ts': 'in a process of its own, by its time and memory',
  'src/connections/documents/read-operations.ts': 'in a process of its own, by its time and memory',
  'src/connections/documents/read-parameters.ts': 'in a process of its own, by its time and memory',
  'src/egress/socket-reads.ts': 'counts reads of a socket',
  'src/engine/checkpoints.ts': 'what the engine writes',
  'src/flows/component/check-definition.ts': 'the definition of a plugin',
  'src/http/events/flows-to-read.ts': 'flows that a listener reads',
  'src/http/webhook/payload/check-payload.ts': 'payloads and schemas, which have shapes of their own',
  'src/http/webhook/payload/read-multipart.ts': 'bounded in parts, names and bytes, as it comes',
  'src/http/webhook/payload/read-stream.ts': 'what is read as payloads are, or goes to disk',
  'src/runs/dispatch/lane-reader.ts': 'pages of the store, bounded by their size',
  'src/runs/present/run-reader.ts': 'what presenting runs reads, in turns',
  'src/sandbox/read-answer.ts': 'bounded by the output limit before it is read',
  'src/startup/read-reach.ts': 'a setting of the operator'
}
