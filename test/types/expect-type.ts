/**
 * Compiles where the value has exactly this type: `any` is told from everything else, and a union from its members.
 * Type tests are compiled and never run.
 */
export function expectType<Expected>() {
  return <Actual>(_value: Actual, ..._: Same<Actual, Expected> extends true ? [] : ['another type']) =>
    undefined
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
