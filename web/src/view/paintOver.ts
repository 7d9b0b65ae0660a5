// The view as one picture to take along: what it stands on, the drawn scene, and what lies over it as the page shows it. Knows what
// those parts are made of: boxes with backgrounds and borders, words, lines and paths, and small canvases.

/** `drawn`: the scene's canvas, just drawn; `over`: elements above it, from below. */
export function paintOver(stage: HTMLElement, drawn: HTMLCanvasElement, over: HTMLElement[]): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  // A coarse picture of a busy machine would make words that cannot be read.
  const scale = Math.max(drawn.width / stage.clientWidth, 1);
  canvas.width = Math.round(stage.clientWidth * scale);
  canvas.height = Math.round(stage.clientHeight * scale);
  const context = canvas.getContext('2d');
  if (!context) return drawn;
  const { left, top } = stage.getBoundingClientRect();
  context.setTransform(scale, 0, 0, scale, 0, 0);
  ground(context, stage);
  context.drawImage(drawn, 0, 0, stage.clientWidth, stage.clientHeight);
  context.setTransform(scale, 0, 0, scale, -scale * left, -scale * top);
  for (const element of over) paint(context, element);
  return canvas;
}

/** The scene's own background, or the page's. */
function ground(context: CanvasRenderingContext2D, stage: HTMLElement): void {
  const { clientWidth: width, clientHeight: height } = stage;
  const style = getComputedStyle(stage);
  const gradient = context.createLinearGradient(0, 0, 0, height);
  gradient.addColorStop(0, style.getPropertyValue('--view-top').trim() || '#ffffff');
  gradient.addColorStop(1, style.getPropertyValue('--view-bottom').trim() || '#ffffff');
  for (const fill of [gradient, ...(stage.style.background ? [style.backgroundColor] : [])]) {
    context.fillStyle = fill;
    context.fillRect(0, 0, width, height);
  }
}

function paint(context: CanvasRenderingContext2D, element: Element): void {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (style.display === 'none' || style.visibility === 'hidden' || style.clipPath !== 'none') return;
  if (element instanceof SVGGeometryElement) return stroke(context, element, style);
  if (element instanceof HTMLCanvasElement) context.drawImage(element, box.x, box.y, box.width, box.height);
  else if (element instanceof HTMLElement) {
    context.fillStyle = style.backgroundColor;
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, Number.parseFloat(style.borderTopLeftRadius) || 0);
    context.fill();
    borders(context, style, box);
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) paint(context, child);
    else if (child instanceof Text) write(context, child, style);
  }
}

function borders(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, box: DOMRect): void {
  const wide = (side: string): number => Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) || 0;
  const [top, right, bottom, left] = ['top', 'right', 'bottom', 'left'].map(wide);
  context.fillStyle = style.borderBottomColor;
  context.fillRect(box.x, box.y, box.width, top);
  context.fillRect(box.right - right, box.y, right, box.height);
  context.fillRect(box.x, box.bottom - bottom, box.width, bottom);
  context.fillRect(box.x, box.y, left, box.height);
}

function stroke(context: CanvasRenderingContext2D, shape: SVGGeometryElement, style: CSSStyleDeclaration): void {
  const place = shape.getScreenCTM();
  if (!place) return;
  const before = context.getTransform();
  context.setTransform(before.multiply(place));
  context.strokeStyle = style.stroke;
  context.lineWidth = Number.parseFloat(style.strokeWidth) || 1;
  context.lineCap = style.strokeLinecap as CanvasLineCap;
  const end = (name: string): string => shape.getAttribute(name) ?? '0';
  const path = shape.getAttribute('d') ?? `M${end('x1')} ${end('y1')}L${end('x2')} ${end('y2')}`;
  context.stroke(new Path2D(path));
  context.setTransform(before);
}

/** Line by line, as the page breaks it. */
function write(context: CanvasRenderingContext2D, text: Text, style: CSSStyleDeclaration): void {
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = style.color;
  context.textBaseline = 'middle';
  const range = document.createRange();
  let line = '';
  let at: DOMRect | null = null;
  const put = (): void => {
    if (at && line.trim()) context.fillText(line, at.x, at.y + at.height / 2);
  };
  for (let i = 0; i < text.length; ++i) {
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    const rect = range.getBoundingClientRect();
    if (!at || Math.abs(rect.y - at.y) > 2) {
      put();
      line = '';
      at = rect;
    }
    line += text.data[i];
  }
  put();
}
