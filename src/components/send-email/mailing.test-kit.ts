import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { AUTHORITY } from '../../../test/support/certificates.ts'
import {
  type MailServer,
  type MailServerOptions,
  startMailServer
} from '../../../test/support/mail-server.ts'
import { readAllowRule } from '../../egress/allow-list.ts'
import { Egress } from '../../egress/egress.ts'
import { StepError } from '../../engine/step-error.ts'
import type { OpenConnection, Step } from '../../plugin-api.ts'
import { runStepInTurns } from '../step.test-kit.ts'
import { sendEmail } from './send-email.ts'

export const PASSWORD = 'correct horse'

interface Result {
  readonly message_id: string
  readonly accepted: string[]
  readonly rejected: string[]
  readonly refusals: { address: string; response: string }[]
  readonly response: string
}

interface Mailing {
  readonly server: MailServer
  readonly connection: OpenConnection
  send(fields: object, data?: unknown): Promise<Result>
  failure(fields: object, data?: unknown): Promise<Pick<StepError, 'code' | 'message' | 'retryable'>>
}

export async function begin(
  t: TestContext,
  options: MailServerOptions = {},
  settings: object = {},
  given: { readonly password?: string; readonly allow?: number; readonly files?: Step['files'] } = {}
): Promise<Mailing> {
  const server = await startMailServer(t, options)
  const egress = new Egress({ allow: [readAllowRule(`127.0.0.1:${given.allow ?? server.port}`)] })
  const { password } = options
  const connection = {
    name: 'mail',
    kind: 'smtp',
    settings: {
      host: '127.0.0.1',
      port: server.port,
      from: 'Shop <orders@shop.example>',
      ca: AUTHORITY,
      ...(password !== undefined && { user: 'ann' }),
      ...settings
    },
    secrets: { ...(password !== undefined && { password: given.password ?? password }) },
    socket: () => egress.socket()
  } as unknown as OpenConnection
  const send: Mailing['send'] = async (fields, data = {}) => {
    const { outputs } = await runStepInTurns(sendEmail, {
      fields: { connection: 'mail', to: 'bob@mail.example', ...fields },
      inputs: { data },
      connection: () => connection,
      ...(given.files && { files: given.files })
    })
    return outputs.result as Result
  }
  const failure: Mailing['failure'] = async (fields, data) => {
    try {
      await send(fields, data)
    } catch (error) {
      assert.ok(error instanceof StepError, String(error))
      const { code, message, retryable } = error
      return { code, message, retryable }
    }
    return assert.fail('the mail was sent')
  }
  return { server, connection, send, failure }
}
