import type { DocumentReader, JobAnswer } from '../../documents/document-reader.ts'
import { megabytes, outputTooLarge } from '../../engine/output-limit.ts'
import { StepError } from '../../engine/step-error.ts'
import type { OutputLimit, Step } from '../../flows/component/component.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { PAYLOAD_DEPTH } from '../../flows/json/exact-json.ts'
import { parseJsonInTurns } from '../../flows/json/parse-json-in-turns.ts'
import type { DocumentResult, DocumentTask } from '../../flows/step/step-documents.ts'
import type { ExecutableRun } from '../../store/store.ts'

import type { RunInContext } from './run-in-context.ts'

interface ReadingStep {
  readonly call: { readonly abort: Pick<AbortController, 'signal'> }
  readonly run: Pick<ExecutableRun, 'flowId'>
  /** The path of its context. */
  readonly context: string
  readonly documents: Pick<DocumentReader, 'read' | 'limits'>
  readonly outputLimit: () => OutputLimit
  readonly pause: () => Step['pause']
}

/** What is attached to a mail goes on as files, and those are no part of what a step puts out. */
const MOST_OF_EXTRACTS = 48 * 1024 ** 2
/** Around the results: brackets, keys. */
const AROUND = 64

/** Lets a step read documents in a process of their own. */
export function stepDocuments(step: ReadingStep): Step['readDocuments'] {
  const { call, run, context, documents: reader, outputLimit, pause } = step
  return async (task, documents) => {
    if (documents.length === 0) return []
    const limit = outputLimit()
    const mostCharacters = mostOf(task, limit) + AROUND * documents.length
    const owner = { context, flow: run.flowId }
    const answer = await reader.read({ task, documents, mostCharacters }, call.abort.signal, owner)
    if (answer.kind !== 'results') throw faultOf(answer, limit, reader.limits)
    const parsing = parseJsonInTurns(answer.text, PAYLOAD_DEPTH)
    return (await inTurns(parsing, { pause: pause() })) as unknown as readonly DocumentResult[]
  }
}

/** For a step of a run. */
export function documentsOfStep(
  { run, context, outside }: Pick<RunInContext, 'run' | 'context' | 'outside'>,
  step: Pick<ReadingStep, 'call' | 'outputLimit' | 'pause'>
): Step['readDocuments'] {
  return stepDocuments({ ...step, run, context: context.path, documents: outside.documents })
}

function mostOf({ kind }: DocumentTask, { bytes }: OutputLimit): number {
  return kind === 'extract' ? Math.max(bytes, MOST_OF_EXTRACTS) : bytes
}

function faultOf(
  answer: Exclude<JobAnswer, { kind: 'results' }>,
  limit: OutputLimit,
  { residentBytes, timeoutMs }: DocumentReader['limits']
): StepError {
  const failed = (code: string, message: string) => new StepError(message, { code, retryable: false })
  switch (answer.kind) {
    case 'too-long':
      return outputTooLarge(limit, { advice: 'Send less at once' })
    case 'timeout':
      return failed(
        'document_timeout',
        `To read it took longer than ${timeoutMs / 1000} seconds and was ended. Send a smaller document, or a part of it.`
      )
    case 'failed':
      return failed('document_broken', `It could not be read: ${answer.message}. Look at what was sent.`)
    case 'none':
      return answer.why === 'memory'
        ? failed(
            'document_too_large',
            `To read it took more than ${megabytes(residentBytes)} of memory and was ended. Send a smaller document, or a part of it.`
          )
        : // Nothing of the document: the process could not begin, or was ended from outside.
          new StepError('The process that reads documents ended before it answered.', {
            code: 'document_process_ended'
          })
  }
}
