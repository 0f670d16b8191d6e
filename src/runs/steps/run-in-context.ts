import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { DocumentReader } from '../../documents/document-reader.ts'
import type { Circuits } from '../../egress/circuits.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { ChildRuns } from '../../flows/step/step-children.ts'
import type { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { Spending } from '../costs/spending.ts'
import type { RunFiles } from '../files/run-files.ts'
import type { KeptLibrary } from '../kept/kept-library.ts'
import type { KnowledgeOutside } from '../knowledge/knowledge-of-step.ts'
import type { LiveText } from '../live-text/live-text.ts'
import type { RunStart } from '../record/run-start.ts'
import type { RunAddresses } from './linked-scope.ts'
import type { Reach } from './live-node.ts'
import type { Pacing } from './pacing.ts'
import type { RunOutputs } from './run-outputs.ts'
import type { RunScope } from './run-scope.ts'
import type { SessionHistory } from './session-history.ts'
import type { VersionResources } from './version-resources.ts'

/** How steps reach outside. */
export interface Outside extends Reach {
  /** Which destinations are down. */
  readonly circuits: Pick<Circuits, 'of'>
  /** What was said before. */
  readonly history: SessionHistory
  /** What models cost. */
  readonly spending: Pick<Spending, 'payFor' | 'costOfRun' | 'joinCommit' | 'save'>
  /** What flows keep for later runs. */
  readonly kept: Pick<KeptLibrary, 'get' | 'change'>
  /** Texts that flows find again. */
  readonly knowledge: KnowledgeOutside
  /** What is sent, made and opened beside the data. */
  readonly files: Pick<RunFiles, keyof RunFiles>
  /** Where others reach a run that waits for them. */
  readonly addresses: RunAddresses
  /** What components have opened for a version of a flow. */
  readonly resources: Pick<VersionResources, 'use'>
  /** Where people's code runs. */
  readonly sandbox: Pick<SandboxPool, 'compute'>
  /** What reads documents. */
  readonly documents: Pick<DocumentReader, 'read' | 'limits'>
}

/** The runs that a step starts. */
export interface StartedRuns extends ChildRuns {
  /** Resolves when all that the step has asked is durable; undefined where it has asked nothing. */
  written?(): Promise<void> | undefined
}

/** A run with what its context puts around it: what all its steps and hooks share. */
export interface RunInContext {
  readonly run: ExecutableRun
  readonly start: RunStart
  /** Of a node that is tried out: files that whoever tries it may read. */
  readonly givenFiles?: readonly string[]
  readonly context: RunScope
  readonly outputs: Pick<RunOutputs, 'left' | 'pieces'>
  readonly pacing: Pick<Pacing, 'begin'>
  readonly liveText: Pick<LiveText, 'streamOf' | 'over'>
  readonly outside: Outside
  /** The runs that steps of it start. */
  readonly children: { of(call: StepCall, secrets?: () => OpenedSecrets | undefined): StartedRuns }
  /** Asks the store until it answers; rejects only when the service stops. */
  readonly persist: <T>(ask: () => Promise<T>) => Promise<T>
  /** Of steps that are called where another one is under way: that one's run, and which call of it they are. */
  readonly place?: { readonly of: string; readonly name: string }
  readonly newId: () => string
  readonly now: () => number
}
