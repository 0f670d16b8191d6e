import { type BodyType, bodySource, buildBody } from '../../src/components/http/build-body.ts'
import { buildHeaders } from '../../src/components/http/build-headers.ts'
import { encodeMultipart } from '../../src/components/http/multipart.ts'
import { buildMail, prepareMail } from '../../src/components/send-email/build-mail.ts'
import { sendEmail } from '../../src/components/send-email/send-email.ts'
import { writeMail } from '../../src/components/send-email/write-mail.ts'
import { resolveFields } from '../../src/flows/component/component.ts'
import { inTurns } from '../../src/flows/in-turns.ts'
import type { JsonValue } from '../../src/flows/json/exact-json.ts'
import { TEXT_SHAPES } from './data-shapes.ts'
import type { Work } from './measure.ts'
import { BODY, data, ITEMS, type Reader, shape, shapesOf, texts } from './shapes.ts'

/** What goes out is made of what came in. */
const HALF = ITEMS / 2
const NO_PAUSE = { pause: () => undefined }

function body(type: BodyType, source: JsonValue): (value: JsonValue) => Work {
  const prepared = bodySource(source)
  return (value) => (pacer) =>
    inTurns(
      buildBody({
        source: prepared,
        type,
        method: 'POST',
        headers: {},
        data: value,
        scope: { data: { a: value, b: 'x' }, variables: {} },
        boundary: 'boundary'
      }),
      pacer
    )
}

/** Built in turns, and written where `isWritten`. */
function mail(fields: object, value: JsonValue, isWritten = false): Work {
  const values = resolveFields(sendEmail, { to: 'bob@mail.example', ...fields }) as unknown as Parameters<
    typeof prepareMail
  >[0]
  const scope = { data: { a: value }, variables: {} }
  const sending = { scope, sender: 'orders@shop.example', idempotencyKey: 'r1/mail', now: 0 }
  return async (pacer) => {
    const built = await inTurns(buildMail(prepareMail(values), sending), pacer)
    if (isWritten) await writeMail(built)
  }
}

export const WRITERS: readonly Reader[] = [
  {
    name: 'bodies of requests',
    covers: [],
    shapes: [
      ...(['Auto', 'JSON', 'Form', 'Multipart', 'Text', 'Binary'] as const).flatMap((type) =>
        data(body(type, null), HALF)
      ),
      ...(['Auto', 'JSON', 'Form', 'Multipart'] as const).flatMap((type) =>
        data(body(type, { a: '{a}', b: '{b}' }), HALF)
      ),
      ...data(body('Auto', '[{a}, "{b}"]'), HALF),
      ...texts(BODY / 8, (text) => bodySource(`["${text}"]`)),
      shape('parts', 1_000, (n) => {
        const values = Object.fromEntries(
          Array.from({ length: n }, (_, at) => [`"k${at}`, { base64: 'QUJD' }])
        )
        return (pacer) => inTurns(encodeMultipart(values, 'boundary', BODY), pacer)
      }),
      shape(
        'a file',
        BODY,
        (n) => (pacer) =>
          inTurns(encodeMultipart({ a: { base64: 'QUJD '.repeat(n / 5) } }, 'boundary', 2 * BODY), pacer)
      )
    ]
  },
  {
    name: 'headers of requests',
    covers: [],
    shapes: texts(BODY / 8, (text) =>
      buildHeaders({ render: () => ({ a: text, [text.slice(0, 9)]: [text, text] }) } as never, {
        data: {},
        variables: {}
      })
    )
  },
  {
    name: 'mails',
    covers: [],
    shapes: [
      // The largest texts are composed in one turn, which takes 40 ms for each megabyte: not by us.
      ...shapesOf(TEXT_SHAPES, BODY / 4, (text) =>
        mail({ subject: 'x', text: '{a}', html: '<p title="{a}">{a}</p>' }, text, true)
      ).map((each) => ({ ...each, turnMs: 100 })),
      // Five fields at once, each read and filled in: as many characters among them.
      ...shapesOf(TEXT_SHAPES, BODY / 80, (text) =>
        mail({ subject: text, text, html: text, to: text, cc: text }, 'x')
      ),
      ...shapesOf(TEXT_SHAPES, BODY / 16, (text) => mail({ subject: '{a}', to: '{a}', text: 'x' }, text)),
      ...data((value) => mail({ subject: 'x', text: '{a}', html: '<p>{a}</p>' }, value), HALF),
      ...data((value) =>
        mail({ subject: 'x', text: 'x', attachments: [{ name: 'a', content: '{a}' }] }, value)
      ),
      shape('a large value again and again', 8, (n) => {
        const many = '{a}'.repeat(n)
        const value = Array.from({ length: 45_000 }, (_, at) => at)
        return async (pacer) => {
          for (const field of ['to', 'cc', 'subject', 'text', 'html'])
            await Promise.resolve(mail({ subject: 'x', [field]: many }, value)(pacer)).catch(() => {})
        }
      }),
      shape('blanks for people', BODY / 4, (n) =>
        mail({ subject: 'x', text: 'Pay {a} to\n{a}\n' }, `${' '.repeat(59)}x`.repeat(n / 60))
      ),
      shape('attachments', 50, (n) => () => {
        const given = Array.from({ length: n }, (_, at) => ({
          name: `f${at}.csv`,
          content: 'x'.repeat(1_000)
        }))
        return mail({ subject: 'x', text: 'x', attachments: given as never }, '', true)(NO_PAUSE)
      })
    ]
  }
]
