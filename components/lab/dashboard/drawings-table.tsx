import { longestFigureWaitMs } from '@/lib/protocol/lab.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import { ScrollArea } from '../scroll-area.tsx'
import type { DashboardDrawing } from './dashboard-result.ts'
import { methodText } from './figure-methods.ts'

const { columns, published, seconds } = labStrings.drawings

interface DrawingsTableProps {
  readonly drawings: readonly DashboardDrawing[]
  readonly name: string
}

/** Lists drawings, with published figures of the same. */
export const DrawingsTable = ({ drawings, name }: DrawingsTableProps) => (
  <ScrollArea name={labStrings.toScroll(name)}>
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
          <DrawingRow key={index} drawn={drawn} />
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

function DrawingRow({ drawn }: { drawn: DashboardDrawing }) {
  const { seed, ms, failed } = drawn
  return (
    <tr data-ms={ms} className="border-t border-line">
      <th scope="row">{methodText(drawn)}</th>
      <td className="font-medium">{failed === 0 ? seconds(ms) : '–'}</td>
      <td>{seconds(longestFigureWaitMs(seed))}</td>
      <td>{seed}</td>
      <td className={failed > 0 ? 'font-medium text-danger' : ''}>{failed}</td>
    </tr>
  )
}
