import { encode } from 'uqr'

/**
 * A QR code as one SVG path in a square of `size` modules, quiet zone of four modules included. Runs of dark modules
 * are one rectangle each, so that no hairlines appear between them when scaled.
 */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'L', border: 4 })
  let path = ''
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      path += `M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`
    }
  }
  return { size, path }
}
