import { Button, Group, Modal, Stack } from '@mantine/core'
import {
  type Connection,
  type SignInPlace,
  useBeginSignIn,
  useConnectionPresets
} from '../../api/connections.ts'
import { presetFor } from '../../connection-forms/preset-draft.ts'
import { hasSignIn, SignInFacts } from '../../connection-forms/sign-in-facts.tsx'
import { notifyProblem } from '../../design/notify.tsx'
import classes from './connections-page.module.css'

/** For a connection that a person signs in for, once. */
export function SignInButton({ connection }: { readonly connection: Connection }) {
  const begin = useBeginSignIn(connection)
  if (!hasSignIn(connection.settings)) return null
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={begin.isPending}
        aria-label={`Sign in for ${connection.name}`}
        onClick={() => begin.mutate(undefined, { onError: notifyProblem })}
      >
        Sign in
      </Button>
      <Modal
        opened={begin.data !== undefined}
        onClose={begin.reset}
        title={`Sign in for “${connection.name}”`}
        size="lg"
      >
        {begin.data !== undefined && (
          <SignInSteps connection={connection} place={begin.data} onClose={begin.reset} />
        )}
      </Modal>
    </>
  )
}

interface SignInStepsProps {
  readonly connection: Connection
  readonly place: SignInPlace
  readonly onClose: () => void
}

/** A link and not a window that opens by itself: browsers keep such from people. */
function SignInSteps({ connection, place, onClose }: SignInStepsProps) {
  const { name, settings } = connection
  const { data: presets = [] } = useConnectionPresets({ enabled: true })
  const preset = presetFor(presets, { name, settings })
  return (
    <Stack gap="md">
      <SignInFacts settings={settings} preset={preset} redirectUri={place.redirect_uri} />
      <p className={classes.step}>
        Then sign in there. The page that opens says whether it worked. From then on, Millrace renews the
        sign-in by itself.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button component="a" href={place.url} target="_blank" rel="noreferrer" onClick={onClose}>
          Open the provider’s page
        </Button>
      </Group>
    </Stack>
  )
}
