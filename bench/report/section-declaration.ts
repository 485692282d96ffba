/** Declares the section of a scenario: its aims, its headlines, and what it leaves out because it was not measured. */
import type { Params } from '../support/trial.ts'
import { amountText, type Metric, ratio, type Rounds } from './metrics.ts'
import { busyReason, joinSentences, lossReason } from './miss-reasons.ts'
import type { Aim, BarChart, Headline, LineChart, Section, Table } from './section.ts'

// Aims

/** An aim whose figure is NaN is left out. */
export interface AimDeclaration extends Omit<Aim, 'reached' | 'reason'> {
  /** Sentences; empty ones are left out. */
  readonly reason?: string | readonly string[]
}

interface AimOptions<Of extends Params, Data> {
  readonly atMost: number
  readonly of: Rounds<Of, Data>
  /** The rounds whose figure divides that of `of`. */
  readonly beside?: Rounds<Of, Data>
  readonly sum?: string
  /** Sentences for a missed aim. How busy the machine was follows by itself. */
  readonly reasons?: readonly string[]
}

/** Limits the median of a metric, or its ratio to the same metric of others. */
export const aim = <Of extends Params, Data>(
  name: string,
  figure: Metric<Of, Data>,
  { atMost, of, beside, sum, reasons = [] }: AimOptions<Of, Data>,
): AimDeclaration => ({
  name,
  measured: beside ? ratio(figure, of, beside) : of.median(figure),
  limit: atMost,
  unit: beside ? '×' : (figure.unit ?? ''),
  ...(sum !== undefined && { sum }),
  reason: [...reasons, busyReason(of)],
})

/** Limits to 0 what must never happen. @param where Where it was found: `round 2: 3 lost`. */
export const neverAim = (
  name: string,
  unit: string,
  measured: number,
  where: readonly string[] = [],
): AimDeclaration => ({ name, measured, limit: 0, unit, reason: lossReason(where) })

/** `A relay took 84 µs in the same run, 0.80 × of Hocuspocus.`, for a server that does the least. Empty if one was not measured. */
export function floorReason<Of extends Params, Data>(
  floorName: string,
  figure: Metric<Of, Data>,
  floor: Rounds<Of, Data>,
  hocuspocus: Rounds<Of, Data>,
  digits = figure.digits,
): string {
  const times = amountText(ratio(figure, floor, hocuspocus), '× of Hocuspocus', 2)
  return times ? `${floorName} took ${floor.medianText(figure, '', digits)} in the same run, ${times}.` : ''
}

/** An aim is reached if the figure is no greater than the limit. */
const aimsOf = (declared: OptionalList<AimDeclaration>): Aim[] =>
  dropUndefined(declared)
    .filter(({ measured }) => !Number.isNaN(measured))
    .map(({ reason, ...rest }) => ({
      ...rest,
      reached: rest.measured <= rest.limit,
      ...(reason !== undefined && { reason: joinSentences(...[reason].flat()) }),
    }))

// Headlines

/** A headline is left out if it has no figure of ours. */
interface HeadlineDeclaration extends Pick<Headline, 'what'> {
  readonly ours: string | undefined
  readonly published?: string | undefined
  readonly of?: Headline['of'] | undefined
  readonly beside?: string | undefined | OptionalList<string>
  readonly aims?: OptionalList<AimDeclaration>
}

/** Puts our median beside those of peers. There is no figure of ours if no peer was measured. @param peers By the name to show. */
export function besidePeers<Of extends Params, Data>(
  figure: Metric<Of, Data>,
  ours: Rounds<Of, Data>,
  peers: Readonly<Record<string, Rounds<Of, Data>>>,
  digits = figure.digits,
): Pick<HeadlineDeclaration, 'ours' | 'beside'> {
  const beside = Object.entries(peers).map(([name, rounds]) => rounds.medianText(figure, name, digits))
  return { ours: beside.some(Boolean) ? ours.medianText(figure, '', digits) : undefined, beside }
}

const headlinesOf = (declared: OptionalList<HeadlineDeclaration>): Headline[] =>
  dropUndefined(declared).flatMap(({ what, ours, beside = [], published, aims, of }) => {
    const others = dropUndefined([beside].flat())
    return ours === undefined
      ? []
      : {
          what,
          ours,
          ...(others.length > 0 && { beside: others.join('; ') }),
          ...(published !== undefined && { published }),
          ...(aims && { aims: aimsOf(aims) }),
          ...(of && { of }),
        }
  })

// Sections

type OptionalList<Item> = readonly (Item | undefined)[]

/** A section in which an item is undefined, or a list is missing, if it was not measured. */
export interface SectionDeclaration {
  readonly method: string
  readonly tables: OptionalList<Table>
  readonly charts?: OptionalList<BarChart | LineChart>
  readonly aims?: OptionalList<AimDeclaration>
  readonly headlines?: OptionalList<HeadlineDeclaration>
  readonly notes?: OptionalList<string>
}

export const sectionOf = ({
  method,
  tables,
  charts = [],
  aims = [],
  headlines = [],
  notes = [],
}: SectionDeclaration): Section => ({
  method,
  tables: dropUndefined(tables),
  charts: dropUndefined(charts),
  aims: aimsOf(aims),
  headlines: headlinesOf(headlines),
  notes: dropUndefined(notes),
})

/** Makes one section of parts of a scenario that report by themselves. */
export const joinSections = (parts: readonly SectionDeclaration[]): SectionDeclaration => ({
  method: parts.map(({ method }) => method).join(' '),
  tables: parts.flatMap(({ tables }) => tables),
  charts: parts.flatMap(({ charts = [] }) => charts),
  aims: parts.flatMap(({ aims = [] }) => aims),
  headlines: parts.flatMap(({ headlines = [] }) => headlines),
  notes: parts.flatMap(({ notes = [] }) => notes),
})

const dropUndefined = <Item>(all: OptionalList<Item>): Item[] => all.filter((item) => item !== undefined)
