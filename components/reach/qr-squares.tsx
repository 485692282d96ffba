import { useMemo } from 'react'
import { encode } from 'uqr'

/** White squares around the code that cameras need to find it. */
const QUIET = 4

export default function QrSquares({ text, label }: { text: string; label: string }) {
  const { side, path } = useMemo(() => squaresOf(text), [text])
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  )
}

/** One path for all dark squares: a code has a thousand of them. */
function squaresOf(text: string): { side: number; path: string } {
  const { data, size } = encode(text, { border: QUIET })
  const steps = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
  return { side: size, path: steps.join('') }
}
