import { ROOT } from '../../../../../src/contexts/context-path.ts'
import type { ContextFacts } from '../../../api/contexts.ts'
import { IconInfoCircle } from '../../../design/icons/page-icons.ts'
import { useMayChange } from '../change/use-may-change.ts'
import classes from './settings.module.css'
import { SettingsForm } from './settings-form.tsx'

interface SettingsTabProps {
  readonly contexts: readonly ContextFacts[]
  readonly context: ContextFacts
}

/** Variables and settings can be changed where the context was made, those of the root too; a plugin's are in its code. */
export function SettingsTab({ contexts, context }: SettingsTabProps) {
  const mayChange = useMayChange()
  if (context.kind === 'code' && context.path !== ROOT) {
    return (
      <Note>
        The plugin {context.owner} sets the variables of this context in code; they are listed under “Visible
        here”. To set variables or limits of your own, make a context below it.
      </Note>
    )
  }
  return (
    <>
      {!mayChange && (
        <Note>To change them, sign in with a key that has the right “admin” and is not bound.</Note>
      )}
      <SettingsForm contexts={contexts} context={context} isReadOnly={!mayChange} />
    </>
  )
}

function Note({ children }: { readonly children: React.ReactNode }) {
  return (
    <p className={classes.note}>
      <IconInfoCircle size={16} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
