import type { ConnectionPreset } from '../api/connections.ts'
import { CopyButton } from '../design/copy-button.tsx'
import { ScopeList } from './scope-list.tsx'
import classes from './sign-in-facts.module.css'

interface SignInFactsProps {
  readonly settings: Readonly<Record<string, unknown>>
  readonly preset: ConnectionPreset | undefined
  readonly redirectUri: string
}

/** Whether a person signs in for a connection with these settings. */
export function hasSignIn({ auth, grant }: Readonly<Record<string, unknown>>): boolean {
  return auth === 'oauth2' && grant === 'authorization_code'
}

/** What a person who signs in has to know before: what to register with the provider, and what it will allow. */
export function SignInFacts({ settings, preset, redirectUri }: SignInFactsProps) {
  const scopes = typeof settings.scope === 'string' ? settings.scope.split(/\s+/).filter(Boolean) : []
  return (
    <div className={classes.facts}>
      <p>Register this address with the provider as the redirect URI of the client:</p>
      <div className={classes.redirect}>
        <code>{redirectUri}</code>
        <CopyButton text={redirectUri} label="Copy the redirect URI" />
      </div>
      {scopes.length === 0 ? (
        <p>It asks for no scopes: the provider decides what the sign-in allows.</p>
      ) : (
        <>
          <p>The sign-in asks for these scopes, and flows can then:</p>
          <ScopeList scopes={scopes} allows={preset?.allows} />
        </>
      )}
    </div>
  )
}
