/** Microseconds of CPU, as measured. */
export interface Costs {
  /** For one accepted request. */
  readonly accept: { readonly web: number; readonly database: number }
  /** For one run from being taken up to its stored end. */
  readonly run: { readonly worker: number; readonly database: number }
  /** Of the database per second, for every process that is there: pulses, looking for work, signals. */
  readonly idle: { readonly database: number }
}

export interface Machines {
  readonly databaseCores: number
  /** The part of a core that is planned with; the rest is for vacuum, checkpoints, and peaks. */
  readonly load: number
}

export interface ClusterPoint {
  readonly workers: number
  readonly webs: number
  readonly runsPerSecond: number
  readonly databaseCoresBusy: number
  /** What keeps it from doing more. */
  readonly limit: 'workers' | 'database'
}

export const workerCounts: readonly number[] = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64]

const MICROS = 1_000_000

/**
 * What so many workers do in a steady state, with as many web processes as that takes. Each process has a core, which
 * it is loaded to as far as planned; the database has its cores, and part of them goes to every process that is there.
 *
 * It is arithmetic of CPU: it knows no disk that is full of commits, no lock that is contended and no network. What
 * it says is a bound that real clusters come close to from below.
 */
export function clusterCapacity(
  costs: Costs,
  { databaseCores, load }: Machines,
  workers: number
): ClusterPoint {
  const byWorkers = (workers * load * MICROS) / costs.run.worker
  const perRun = costs.accept.database + costs.run.database
  const at = (webs: number) => {
    const upkeep = (workers + webs) * costs.idle.database
    const byDatabase = Math.max(0, databaseCores * load * MICROS - upkeep) / perRun
    const runsPerSecond = Math.min(byWorkers, byDatabase)
    return {
      runsPerSecond,
      upkeep,
      limit: byWorkers <= byDatabase ? ('workers' as const) : ('database' as const)
    }
  }
  // More web processes cost the database a little, which may make do with one fewer: counting up ends at the first
  // number that is enough.
  let webs = 1
  while (at(webs).runsPerSecond * costs.accept.web > webs * load * MICROS) webs += 1
  const { runsPerSecond, upkeep, limit } = at(webs)
  return {
    workers,
    webs,
    runsPerSecond,
    limit,
    databaseCoresBusy: (runsPerSecond * perRun + upkeep) / MICROS
  }
}

/** The first number of workers that the database cannot keep busy; undefined where 64 are not enough to reach it. */
export function databaseLimit(costs: Costs, machines: Machines, most = 64): ClusterPoint | undefined {
  for (let workers = 1; workers <= most; workers++) {
    const point = clusterCapacity(costs, machines, workers)
    if (point.limit === 'database') return point
  }
  return undefined
}
