// Loaded into every process of tests, and into the runner that starts them: each is a part of `npm test`.
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { noteThisProcess } from './part-times.mjs'

// Workers and forked processes of a test inherit this preload; their time is that of their test.
const file = basename(process.argv[1] ?? '')
if (isMainThread && process.env.NODE_TEST_CONTEXT && /\.test\.(?:ts|mjs)$/.test(file))
  noteThisProcess(`Tests: ${file.replace(/\.test\.(?:ts|mjs)$/, '').replace(/^\d+-/, '')}`)
