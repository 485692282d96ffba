import { useMemo } from 'react'
import { encode } from 'uqr'

/** The width of the white border, in squares. Cameras need it to find the code. */
const QUIET_ZONE = 4

export default function QrSquares({ text, label }: { text: string; label: string }) {
  const { side, path } = useMemo(() => encodeSquares(text), [text])
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Draws all dark squares as one path, because a code has a thousand of them. */
function encodeSquares(text: string): { side: number; path: string } {
  const { data, size } = encode(text, { border: QUIET_ZONE })
  const segments = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
  return { side: size, path: segments.join('') }
}
