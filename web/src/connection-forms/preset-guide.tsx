import { Anchor } from '@mantine/core'
import type { ConnectionPreset } from '../api/connections.ts'
import { Monogram } from '../design/monogram.tsx'
import classes from './preset-guide.module.css'
import { ScopeList } from './scope-list.tsx'
import { hasSignIn } from './sign-in-facts.tsx'

/** What somebody needs to know who connects to a service for the first time: where the key is, and what it has to be allowed. */
export function PresetGuide({ preset }: { readonly preset: ConnectionPreset }) {
  const { name, picture, key, scopes, allows, docs, settings } = preset
  return (
    <div className={classes.guide}>
      <Monogram {...picture} size={32} />
      <div className={classes.text}>
        <p>
          {key.text}{' '}
          <Anchor href={key.url} target="_blank" rel="noreferrer" inherit>
            Get the key
          </Anchor>
          {' · '}
          <Anchor href={docs} target="_blank" rel="noreferrer" inherit>
            {name}’s documentation
          </Anchor>
        </p>
        {scopes.length > 0 && !hasSignIn(settings) && (
          <>
            <p>Allow it:</p>
            <ScopeList scopes={scopes} allows={allows} />
          </>
        )}
      </div>
    </div>
  )
}
