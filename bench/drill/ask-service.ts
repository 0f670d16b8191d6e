import { API_KEY } from '../service-process.ts'

const LONGEST_ANSWER_MS = 20_000

export interface ServiceAnswer {
  readonly status: number
  readonly text: string
}

/** Asks a service that may die at any moment; undefined where it did before the answer had come. */
export async function askService(
  url: string,
  { method = 'GET', body }: { readonly method?: 'GET' | 'POST'; readonly body?: object } = {}
): Promise<ServiceAnswer | undefined> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        'x-api-key': API_KEY,
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS)
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
