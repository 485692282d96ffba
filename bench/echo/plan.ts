/** Each way by each scheme it has, as often as there are rounds. */
import { interleaved, type Trial } from '../support/scenario.ts'
import { type Scheme, schemesOf, wayNames, wayOf } from './ways.ts'

interface Params extends Record<string, string> {
  readonly scheme: Scheme
}

export function planOf({ rounds }: { readonly rounds: number }): Trial<Params>[] {
  const items = wayNames.flatMap((lane) => schemesOf(lane).map((scheme) => ({ lane, scheme })))
  return interleaved(rounds, items).map(({ round, item: { lane, scheme } }) => ({
    subject: wayOf(lane).transport ? 'diptych' : 'raw',
    lane,
    params: { scheme },
    round,
  }))
}
