import { setTimeout as wait } from 'node:timers/promises'
import { loadToTheEnd } from '../load.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const IDLE: Target = { name: 'memory, idle', unit: 'MB', must: { below: 120 } }
const AFTER: Target = { name: 'memory, after 200,000 runs', unit: 'MB', must: { below: 250 } }
const RUNS = 200_000
const READINGS = 5
const MEGABYTE = 1024 * 1024

/** Resident memory of the service's process. */
export const memoryGroup: FigureGroup = {
  key: 'memory',
  about: 'resident memory when idle and after 200,000 runs',
  targets: [IDLE, AFTER],
  async measure({ workspace, say }: Bench): Promise<Figure[]> {
    const service = await startService(workspace, { home: workspace.folder('bench-memory') })
    const how = process.platform === 'linux' ? 'VmRSS in /proc/<pid>/status' : 'process_resident_memory_bytes'
    const idle = await settledMemory(service)
    say(`memory: idle ${(idle / MEGABYTE).toFixed(0)} MB, now ${RUNS.toLocaleString('en')} runs`)
    await loadToTheEnd(service, { amount: RUNS })
    const after = await settledMemory(service)
    const { peak } = await service.memory()
    await service.stop()
    const readings = `${how}, median of ${READINGS} readings, one a second`
    const atMost = peak === null ? '' : `; at the most ${(peak / MEGABYTE).toFixed(0)} MB under load`
    return [
      { ...IDLE, measured: idle / MEGABYTE, detail: `${readings} after the start` },
      { ...AFTER, measured: after / MEGABYTE, detail: `${readings} after the last run${atMost}` }
    ]
  }
}

export async function settledMemory(service: Service): Promise<number> {
  const readings: number[] = []
  for (let index = 0; index < READINGS; index++) {
    await wait(1000)
    readings.push((await service.memory()).resident)
  }
  return median(readings)
}
