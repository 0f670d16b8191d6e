import { Type } from '../../flows/json/schema-builder.ts'
import { additionFaults } from './addition-faults.ts'
import type { ConnectionKind, SecretFacts } from './connection-kind.ts'
import { destinationsOfUrl } from './destinations-of-url.ts'
import { namedSecrets } from './named-secrets.ts'
import { CLIENT_SECRET, OAUTH_SETTINGS } from './oauth-settings.ts'
import type { SettingCondition } from './setting-condition.ts'
import { text, texts, url } from './setting-schemas.ts'

const HTTP_AUTHS = ['none', 'bearer', 'basic', 'header', 'query', 'oauth2'] as const
export type HttpAuth = (typeof HTTP_AUTHS)[number]

const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

export const http: ConnectionKind = {
  title: 'HTTP',
  description: 'An HTTP API and how to sign in to it',
  settings: Type.Object(
    {
      base_url: url({
        title: 'Base URL',
        description:
          'Relative URLs of nodes are appended to it. {name} in its path stands for the secret of that name'
      }),
      auth: Type.Optional(
        Type.Enum(HTTP_AUTHS, {
          default: 'none',
          title: 'Authentication',
          description: 'How requests sign in',
          value_titles: {
            none: 'None',
            bearer: 'Bearer token',
            basic: 'User and password',
            header: 'A header of its own',
            query: 'A parameter of the URL',
            oauth2: 'OAuth 2'
          }
        })
      ),
      user: Type.Optional(
        text({
          title: 'User',
          description: 'User name for basic authentication',
          shown_when: { auth: ['basic'] },
          needed_when: { auth: ['basic'] }
        })
      ),
      header: Type.Optional(
        text({
          title: 'Header',
          description: 'Name of the header that carries the value',
          pattern: HEADER_NAME,
          shown_when: { auth: ['header'] },
          needed_when: { auth: ['header'] }
        })
      ),
      parameter: Type.Optional(
        text({
          title: 'Parameter',
          description: 'Name of the parameter that carries the value',
          maxLength: 200,
          shown_when: { auth: ['query'] },
          needed_when: { auth: ['query'] }
        })
      ),
      ...OAUTH_SETTINGS,
      headers: Type.Optional(
        texts({
          title: 'Headers',
          description: 'Sent with every request; {name} stands for the secret of that name',
          names: HEADER_NAME,
          form: 'last'
        })
      ),
      query: Type.Optional(
        texts({
          title: 'Query',
          description: 'Parameters of every request; {name} stands for the secret of that name',
          names: '^.{1,200}$',
          form: 'last'
        })
      ),
      rate: Type.Optional(
        Type.Number({
          minimum: 0.001,
          maximum: 10_000,
          title: 'Requests per second',
          description: 'The most that all steps send together; empty for no limit',
          form: 'last'
        })
      ),
      preset: Type.Optional(
        text({
          title: 'Preset',
          description: 'The service that it was made for, which says how it is tried',
          pattern: '^[a-z0-9-]{1,60}$',
          form: 'none'
        })
      )
    },
    { additionalProperties: false }
  ),
  secrets: {
    token: secretFor('Token', { auth: ['bearer'] }),
    password: secretFor('Password', { auth: ['basic'] }),
    value: secretFor('Value', { auth: ['header', 'query'] }),
    client_secret: CLIENT_SECRET
  },
  namedSecrets,
  headerSecrets: ({ auth, headers }) => [
    ...(auth === 'bearer' ? ['token'] : auth === 'header' ? ['value'] : []),
    ...namedSecrets({ headers })
  ],
  faults: additionFaults,
  destinations: ({ base_url, token_url }) => [...destinationsOfUrl(base_url), ...destinationsOfUrl(token_url)]
}

/** Needed wherever it matters. */
function secretFor(title: string, when: SettingCondition): SecretFacts {
  return { title, shownWhen: when, neededWhen: when }
}
