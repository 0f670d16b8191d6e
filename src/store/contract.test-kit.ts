import { describe } from 'node:test'
import { acceptContract } from './contract/accept.test-kit.ts'
import { aliasContract } from './contract/aliases.test-kit.ts'
import { besideFlowContract } from './contract/beside-flow.test-kit.ts'
import { binContract } from './contract/bin.test-kit.ts'
import { changeContract } from './contract/changes.test-kit.ts'
import { childIndexContract } from './contract/child-indexes.test-kit.ts'
import { childContract } from './contract/children.test-kit.ts'
import { connectionDocumentContract } from './contract/connection-documents.test-kit.ts'
import { connectionContract } from './contract/connections.test-kit.ts'
import { contextContract } from './contract/contexts.test-kit.ts'
import { deliveryContract } from './contract/deliveries.test-kit.ts'
import { draftContract } from './contract/drafts.test-kit.ts'
import { fileContract } from './contract/files.test-kit.ts'
import { flowContract } from './contract/flows.test-kit.ts'
import { hungStepContract } from './contract/hung-steps.test-kit.ts'
import { keptDraftContract } from './contract/kept-drafts.test-kit.ts'
import { keptContract } from './contract/kept-values.test-kit.ts'
import { keyContract } from './contract/keys.test-kit.ts'
import { knowledgeContract } from './contract/knowledge.test-kit.ts'
import { listContract } from './contract/list.test-kit.ts'
import { longValueContract } from './contract/long-values.test-kit.ts'
import { messageContract } from './contract/messages.test-kit.ts'
import { orphanContract } from './contract/orphans.test-kit.ts'
import { outputContract } from './contract/outputs.test-kit.ts'
import { pausedContract } from './contract/paused.test-kit.ts'
import { pinContract } from './contract/pins.test-kit.ts'
import { placeContract } from './contract/places.test-kit.ts'
import { pruneContract } from './contract/prune.test-kit.ts'
import { pushContract } from './contract/pushes.test-kit.ts'
import { queueContract } from './contract/queue.test-kit.ts'
import { recentContract } from './contract/recent.test-kit.ts'
import { rehearsalContract } from './contract/rehearsals.test-kit.ts'
import { sessionContract } from './contract/sessions.test-kit.ts'
import { signInContract } from './contract/sign-ins.test-kit.ts'
import { spendingContract } from './contract/spending.test-kit.ts'
import { statsContract } from './contract/stats.test-kit.ts'
import type { OpenSubject } from './contract/subject.test-kit.ts'
import { testRunContract } from './contract/test-runs.test-kit.ts'
import { transitionContract } from './contract/transitions.test-kit.ts'
import { failureContract, triggerContract } from './contract/triggers.test-kit.ts'
import { waitContract } from './contract/waits.test-kit.ts'

/** What every store does, whatever it is built on. Each adapter's tests call this with a way to open one. */
export function storeContract(name: string, open: OpenSubject): void {
  describe(`${name} keeps the store contract`, () => {
    describe('flows', () => flowContract(open))
    describe('pushes', () => pushContract(open))
    describe('drafts', () => draftContract(open))
    describe('kept drafts', () => keptDraftContract(open))
    describe('pins', () => pinContract(open))
    describe('expectations and comments', () => besideFlowContract(open))
    describe('rehearsals', () => rehearsalContract(open))
    describe('sessions', () => sessionContract(open))
    describe('spending', () => spendingContract(open))
    describe('kept values', () => keptContract(open))
    describe('knowledge', () => knowledgeContract(open))
    describe('aliases', () => aliasContract(open))
    describe('removed flows', () => binContract(open))
    describe('accepting', () => acceptContract(open))
    describe('tests', () => testRunContract(open))
    describe('deliveries', () => deliveryContract(open))
    describe('triggers', () => triggerContract(open))
    describe('failures', () => failureContract(open))
    describe('transitions', () => transitionContract(open))
    describe('places', () => placeContract(open))
    describe('unfinished runs', () => queueContract(open))
    describe('paused flows', () => pausedContract(open))
    describe('waits', () => waitContract(open))
    describe('children', () => childContract(open))
    describe('orphans', () => orphanContract(open))
    describe('indexes of children', () => childIndexContract(open))
    describe('connections', () => connectionContract(open))
    describe('documents of connections', () => connectionDocumentContract(open))
    describe('lists', () => listContract(open))
    describe('recent runs', () => recentContract(open))
    describe('stats', () => statsContract(open))
    describe('changes', () => changeContract(open))
    describe('latest outputs', () => outputContract(open))
    describe('retention', () => pruneContract(open))
    describe('hung steps', () => hungStepContract(open))
    describe('long values', () => longValueContract(open))
    describe('messages', () => messageContract(open))
    describe('files', () => fileContract(open))
    describe('keys', () => keyContract(open))
    describe('sign-ins', () => signInContract(open))
    describe('contexts', () => contextContract(open))
  })
}
