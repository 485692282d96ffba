/** What `keystrokes` aims at, why it was missed where it was, and its rows of the table of headlines. Reported, never asserted. */
import { keystrokes as published, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import { becauseBusy, diskWords, sentences } from '../report/reasons.ts'
import { type Aim, aimAtMost, type Headline } from '../report/section.ts'
import type { LaneName } from '../support/lanes.ts'
import { summarise } from '../support/stats.ts'
import { figure, FIVE, lanesIn, of, type Outcomes, p50, titles } from './keystrokes-figures.ts'

/** Of a lane's p50 to WebSocket's in the same run. */
const MOST: Partial<Record<LaneName, number>> = { sse: 2, stream: 2, 'sse-posts': 3.5, 'stream-posts': 3.5 }
const MOST_AWAY = 1.05

export function aimsOf(outcomes: Outcomes): Aim[] {
  return [
    ...awayAims(outcomes),
    ...lanesIn(outcomes, { subject: 'relay' }).flatMap((lane) => besideRelay(outcomes, lane)),
    ...besideWebSocket(outcomes),
  ]
}

const AWAY = `${titles.sse} ÷ WebSocket, 25 ms each way, key → applied p50`

function awayAims(outcomes: Outcomes): Aim[] {
  const at = (lane: LaneName) => p50(outcomes, { lane, network: '25' }, 'key → applied')
  if (!Number.isFinite(at('sse') / at('websocket'))) return []
  return [
    aimAtMost({
      name: AWAY,
      measured: at('sse') / at('websocket'),
      limit: MOST_AWAY,
      unit: '×',
      reason: sentences(
        `It is ${plain(at('sse') - at('websocket'), 2)} ms beyond WebSocket’s ${plain(at('websocket'), 2)}.`,
        bareRatio(outcomes, 'sse'),
        becauseBusy(outcomes),
      ),
    }),
  ]
}

/** What of the difference is not ours: the same frames in the same browser without the product. */
function bareRatio(outcomes: Outcomes, lane: LaneName): string {
  const at = (name: LaneName) => p50(outcomes, { subject: 'relay', lane: name }, 'sent → applied')
  const [own, webSocket] = [at(lane), at('websocket')]
  return Number.isFinite(own / webSocket)
    ? `Without a delay the bare relay’s frames take ${plain(own, 2)} ms that way and ${plain(webSocket, 2)} ms by WebSocket in the same browser: so much is the browser’s and HTTP’s own.`
    : ''
}

function besideRelay(outcomes: Outcomes, lane: LaneName): Aim[] {
  const relay = (span: 'sent → applied' | 'sent → saved') => p50(outcomes, { subject: 'relay', lane }, span)
  const [bare, trip] = [relay('sent → applied'), relay('sent → saved')]
  const saved = (which: 'p50' | 'p99') => figure(of(outcomes, { lane }), 'edit → saved', which).median
  const fsyncs = outcomes.flatMap(({ data }) => data.pacedFsyncs)
  const fsync = summarise(fsyncs).p50
  const reason = sentences(
    'Beside the frames’ way there are two Yjs documents, the check of the edit, and its way to the store’s thread, the disk and back.',
    `The disk by itself, as far apart as the keys: ${diskWords(fsyncs)}.`,
    becauseBusy(of(outcomes, { lane })),
  )
  const aim = (name: string, measured: number, limit: number, sum: string): Aim =>
    aimAtMost({ name: `${titles[lane]}: ${name}`, measured, limit, unit: 'ms', sum, reason })
  return [
    aim(
      'sent → applied, p50',
      p50(outcomes, { lane }, 'sent → applied'),
      1.3 * bare + 2 * fsync,
      `1.3 × the relay’s ${bare.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)}`,
    ),
    aim(
      'edit → saved, p50',
      saved('p50'),
      trip + 2 * fsync + 1,
      `round trip ${trip.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)} + 1`,
    ),
    aim('edit → saved, p99', saved('p99'), 20, 'fixed'),
  ]
}

function besideWebSocket(outcomes: Outcomes): Aim[] {
  const webSocket = p50(outcomes, { lane: 'websocket' }, 'sent → applied')
  return lanesIn(outcomes, {}).flatMap((lane) => {
    const most = MOST[lane]
    if (most === undefined || !Number.isFinite(webSocket)) return []
    return aimAtMost({
      name: `${titles[lane]} ÷ WebSocket, sent → applied p50`,
      measured: p50(outcomes, { lane }, 'sent → applied') / webSocket,
      limit: most,
      unit: '×',
      reason: sentences(bareRatio(outcomes, lane), becauseBusy(of(outcomes, { lane }))),
    })
  })
}

export function headlinesOf(outcomes: Outcomes, aims: readonly Aim[]): Headline[] {
  const mean = (lane: LaneName) => figure(of(outcomes, { lane }), 'key → applied', 'mean').median
  const ratio = (what: string, above: LaneName, below: LaneName, beside: number) => ({
    what,
    ours: (mean(above) / mean(below)).toFixed(2),
    published: `${beside} (${sources.keystrokes.short})`,
    of: { network: 'direct', windows: FIVE },
  })
  const rows = [
    {
      what: 'Key → applied in four other windows by WebSocket, mean',
      ours: `${mean('websocket').toFixed(1)} ms`,
      published: `${published.websocket} ms (${sources.keystrokes.short})`,
      of: { lane: 'websocket', network: 'direct', windows: FIVE },
    },
    ratio(
      'The same by SSE over HTTP/2 ÷ WebSocket',
      'sse',
      'websocket',
      published.ratios['sse h2 / websocket'],
    ),
    ratio(
      'The same by SSE, HTTP/1.1 ÷ HTTP/2',
      'sse-http1',
      'sse',
      published.ratios['sse http/1.1 / sse h2'],
    ),
  ]
  const away = aims.filter(({ name }) => name === AWAY)
  return [...rows.filter(({ ours }) => !ours.startsWith('NaN')), ...awayHeadline(outcomes, away)]
}

function awayHeadline(outcomes: Outcomes, aims: readonly Aim[]): Headline[] {
  const at = (lane: LaneName) => p50(outcomes, { lane, network: '25' }, 'key → applied')
  if (aims.length === 0) return []
  return [
    {
      what: 'Key → applied by SSE over HTTP/2, 25 ms away each way, p50',
      ours: `${plain(at('sse'))} ms`,
      beside: `Diptych by WebSocket ${plain(at('websocket'))} ms`,
      aims,
      of: { network: '25' },
    },
  ]
}
