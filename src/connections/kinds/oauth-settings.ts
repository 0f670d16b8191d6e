import { Type } from '../../flows/json/schema-builder.ts'
import type { SecretFacts } from './connection-kind.ts'
import type { SettingCondition } from './setting-condition.ts'
import { text, url } from './setting-schemas.ts'

const oauth2: SettingCondition = { auth: ['oauth2'] }

/** Of the kinds whose setting `auth` may be OAuth 2. */
export const OAUTH_SETTINGS = {
  grant: Type.Optional(
    Type.Enum(['client_credentials', 'authorization_code'], {
      default: 'client_credentials',
      title: 'Who signs in',
      description: 'Whether Millrace signs in by itself or a person does, once',
      value_titles: {
        client_credentials: 'The service itself (client credentials)',
        authorization_code: 'A person, once (authorization code)'
      },
      shown_when: oauth2
    })
  ),
  token_url: Type.Optional(
    url({
      title: 'Token URL',
      description: 'The token endpoint of the provider',
      shown_when: oauth2,
      needed_when: oauth2
    })
  ),
  authorize_url: Type.Optional(
    url({
      title: 'Sign-in URL',
      description: 'The authorization endpoint of the provider, where the person signs in',
      shown_when: { ...oauth2, grant: ['authorization_code'] },
      needed_when: { ...oauth2, grant: ['authorization_code'] }
    })
  ),
  client_id: Type.Optional(
    text({
      title: 'Client ID',
      description: 'The ID that the provider gave this client',
      shown_when: oauth2,
      needed_when: oauth2
    })
  ),
  client_auth: Type.Optional(
    Type.Enum(['basic', 'body'], {
      default: 'basic',
      title: 'Client authentication',
      description: 'How the client secret is sent; a few providers want it in the body',
      value_titles: { basic: 'HTTP Basic', body: 'In the body' },
      shown_when: oauth2
    })
  ),
  scope: Type.Optional(
    text({
      title: 'Scope',
      description: 'Scopes to ask for, separated by spaces',
      shown_when: oauth2
    })
  )
}

export const CLIENT_SECRET: SecretFacts = {
  title: 'Client secret',
  shownWhen: oauth2,
  neededWhen: { ...oauth2, grant: ['client_credentials'] }
}
