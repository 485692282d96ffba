import { longestWait } from '@/lib/protocol/lab.ts'
import { ScrollArea } from '../scroll-area'
import type { Result } from './use-run'

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/** Drawings so far, and what has been published of the same. */
export function ResultTable({ results }: { results: readonly Result[] }) {
  return (
    <section aria-labelledby="drawings">
      <h2 id="drawings" className="text-lg font-semibold">
        Time until all are drawn
      </h2>
      <ScrollArea name="Drawings, to scroll">
        <table
          aria-labelledby="drawings"
          className="mt-2 w-full max-w-3xl text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pr-4 [&_th]:py-1 [&_th]:pr-4 [&_th]:font-normal [&_thead_th]:text-muted"
        >
          <thead>
            <tr>
              <th scope="col">Way</th>
              <th scope="col">All drawn</th>
              <th scope="col">Slowest answer</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {results.map(({ run, name, seed, ms, failed }) => (
              <tr key={run} data-ms={ms} className="border-t border-line">
                <th scope="row">{name}</th>
                <td className="font-medium">{seconds(ms)}</td>
                <td>{seconds(longestWait(seed))}</td>
                <td>{failed}</td>
              </tr>
            ))}
            <tr className="border-t border-line text-muted">
              <th scope="row">Published in 2018: HTTP/1.1, HTTP/2, one WebSocket</th>
              <td>29 s, 5.3 s, 5.2 s</td>
              <td>about 5 s</td>
              <td>–</td>
            </tr>
          </tbody>
        </table>
      </ScrollArea>
      {results.length === 0 && <p className="mt-2 text-sm text-muted">Nothing has been drawn here yet.</p>}
    </section>
  )
}
