import { EXAMPLE_FLOW, EXAMPLE_PAYLOAD } from '../flows/document/example-flow.ts'
import { signInPath } from '../keys/sign-in-links.ts'
import type { Welcome } from './welcome.ts'

/** What the very first start prints besides the ready line. The key is shown here and nowhere else, ever. */
export function firstStartText(
  address: string,
  welcome: Pick<Welcome, 'generatedKey' | 'signInToken'>
): string {
  const { generatedKey, signInToken } = welcome
  // A key that the operator set is the operator's to know; it is not written to a terminal or a log.
  const key = generatedKey ?? '$MILLRACE_API_KEY'
  const lines = [
    '',
    ...(generatedKey === null
      ? ['The API key is the one that MILLRACE_API_KEY sets.']
      : [
          `API key: ${generatedKey}`,
          'It is shown this once. Keep it; more keys are made with POST /api/v1/keys.'
        ]),
    ...(signInToken === null
      ? []
      : [
          '',
          'Open the page. The link signs you in once, within a day:',
          '',
          `  ${address}${signInPath(signInToken)}`
        ]),
    '',
    'Start the example flow:',
    '',
    `  curl -i -X POST ${address}/api/v1/webhook/${EXAMPLE_FLOW.slug} -H "x-api-key: ${key}" -H "content-type: application/json" -d '${JSON.stringify(EXAMPLE_PAYLOAD)}'`,
    '',
    'See the result:',
    '',
    `  curl -s "${address}/api/v1/runs?limit=1&steps=true" -H "x-api-key: ${key}"`,
    ''
  ]
  return lines.join('\n')
}
