import { longestFigureWaitMs } from '@/lib/protocol/lab.ts'
import { strings } from '@/lib/strings/lab.ts'
import { ScrollArea } from '../scroll-area'
import type { Drawn } from './result'
import { wayText } from './ways'

const { columns, published, seconds } = strings.drawings

interface ResultTableProps {
  readonly drawings: readonly Drawn[]
  readonly name: string
}

/** Drawings, and what has been published of the same. */
export const ResultTable = ({ drawings, name }: ResultTableProps) => (
  <ScrollArea name={strings.toScroll(name)}>
    <table
      aria-label={name}
      className="w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_td]:whitespace-nowrap [&_th]:py-1 [&_th]:font-normal [&_thead_th]:text-muted [&_thead_th:not(:first-child)]:pl-4 [&_thead_th:not(:first-child)]:text-right"
    >
      <thead>
        <tr>
          {columns.map((head) => (
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
        {published.map(({ way, drawn, slowest }) => (
          <tr key={way} className="border-t border-line text-muted">
            <th scope="row">{way}</th>
            <td>{drawn}</td>
            <td>{slowest}</td>
            <td>–</td>
            <td>–</td>
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollArea>
)

function Row({ drawn }: { drawn: Drawn }) {
  const { seed, ms, failed } = drawn
  return (
    <tr data-ms={ms} className="border-t border-line">
      <th scope="row">{wayText(drawn)}</th>
      <td className="font-medium">{failed === 0 ? seconds(ms) : '–'}</td>
      <td>{seconds(longestFigureWaitMs(seed))}</td>
      <td>{seed}</td>
      <td className={failed > 0 ? 'font-medium text-danger' : ''}>{failed}</td>
    </tr>
  )
}
