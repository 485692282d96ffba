import { longestWait } from '@/lib/protocol/lab.ts'
import { ScrollArea } from '../scroll-area'
import type { Drawn } from './result'
import { wayText } from './ways'

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

interface ResultTableProps {
  readonly drawings: readonly Drawn[]
  readonly name: string
}

/** Drawings, and what has been published of the same. */
export const ResultTable = ({ drawings, name }: ResultTableProps) => (
  <ScrollArea name={`${name}, to scroll`}>
    <table
      aria-label={name}
      className="w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_td]:whitespace-nowrap [&_th]:py-1 [&_th]:font-normal [&_thead_th]:text-muted [&_thead_th:not(:first-child)]:pl-4 [&_thead_th:not(:first-child)]:text-right"
    >
      <thead>
        <tr>
          {['Way', 'All drawn', 'Slowest answer', 'Seed', 'Failed'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {drawings.map((drawn, index) => (
          <Row key={index} drawn={drawn} />
        ))}
        {published.map(({ way, drawn }) => (
          <tr key={way} className="border-t border-line text-muted">
            <th scope="row">Published in 2018: {way}</th>
            <td>{drawn}</td>
            <td>about 5 s</td>
            <td>–</td>
            <td>–</td>
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollArea>
)

const published = [
  { way: 'requests, HTTP/1.1', drawn: '29 s' },
  { way: 'requests, HTTP/2', drawn: '5.3 s' },
  { way: 'one WebSocket', drawn: '5.2 s' },
]

function Row({ drawn }: { drawn: Drawn }) {
  const { seed, ms, failed } = drawn
  return (
    <tr data-ms={ms} className="border-t border-line">
      <th scope="row">{wayText(drawn)}</th>
      <td className="font-medium">{failed === 0 ? seconds(ms) : '–'}</td>
      <td>{seconds(longestWait(seed))}</td>
      <td>{seed}</td>
      <td className={failed > 0 ? 'font-medium text-danger' : ''}>{failed}</td>
    </tr>
  )
}
