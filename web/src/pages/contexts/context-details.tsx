import { Tabs } from '@mantine/core'
import type { ContextFacts, Explanation } from '../../api/contexts.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { Panel } from '../../design/page.tsx'
import { ContextActions } from './change/context-actions.tsx'
import { kindAppearance } from './context-kind.tsx'
import classes from './contexts-page.module.css'
import { FlowsTab } from './flows/flows-tab.tsx'
import { KeptTab } from './kept/kept-tab.tsx'
import { SettingsTab } from './settings/settings-tab.tsx'
import type { ChosenContext, Tab } from './use-chosen-context.ts'
import { VisibleTab } from './visible/visible-tab.tsx'

interface ContextDetailsProps {
  readonly contexts: readonly ContextFacts[]
  readonly context: ContextFacts
  readonly chosen: ChosenContext
  readonly onAnswer: (answer: Explanation | undefined) => void
}

export function ContextDetails({ contexts, context, chosen, onAnswer }: ContextDetailsProps) {
  return (
    <Panel aria-labelledby="context-title">
      <div className={classes.head}>
        <div className={classes.about}>
          <div className={classes.titleLine}>
            <h2 id="context-title" className={classes.title}>
              {context.path}
            </h2>
            <CopyButton text={context.path} label="Copy the path" />
          </div>
          <MadeBy context={context} />
        </div>
        <ContextActions context={context} contexts={contexts} onGone={chosen.choose} />
      </div>
      <Tabs value={chosen.tab} onChange={(tab) => chosen.showTab(tab as Tab)} keepMounted={false}>
        <Tabs.List className={classes.tabs!}>
          <Tabs.Tab value="visible">Visible here</Tabs.Tab>
          <Tabs.Tab value="flows">Flows ({context.flows.length})</Tabs.Tab>
          <Tabs.Tab value="kept">Kept values</Tabs.Tab>
          <Tabs.Tab value="settings">Variables and settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="visible" className={classes.tab!}>
          <VisibleTab contexts={contexts} context={context} onChoose={chosen.choose} onAnswer={onAnswer} />
        </Tabs.Panel>
        <Tabs.Panel value="flows" className={classes.tab!}>
          <FlowsTab contexts={contexts} context={context} />
        </Tabs.Panel>
        <Tabs.Panel value="kept" className={classes.tab!}>
          <KeptTab context={context.path} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={classes.tab!}>
          <SettingsTab contexts={contexts} context={context} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  )
}

function MadeBy({ context }: { readonly context: ContextFacts }) {
  const { word, Icon } = kindAppearance(context)
  return (
    <div className={classes.origin}>
      <Icon size={15} aria-hidden />
      <span>
        {word}
        {context.kind === 'code' && context.path !== '/' && (
          <>
            : <strong>{context.owner}</strong>
            {context.source !== null && (
              <>
                {' '}
                at <code>{context.source}</code>
              </>
            )}
          </>
        )}
      </span>
    </div>
  )
}
