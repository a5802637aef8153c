// Returns the texts of the page whose contrast with what is behind them is below 4.5:1, or 3:1 for large text (WCAG 2.2, 1.4.3).
(() => {
	for (const d of document.querySelectorAll("details")) {
		d.open = true;
	}
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const known = new Map();
	const color = (css) => { // red, green, blue from 0 to 255, alpha from 0 to 1; of each form of a colour
		if (!known.has(css)) {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = css;
			canvas.fillRect(0, 0, 1, 1);
			const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
			known.set(css, [r, g, b, a / 255]);
		}
		return known.get(css);
	};
	const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
	const light = (c) => {
		const [r, g, b] = c.map((v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ratio = (a, b) => {
		const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
		return (x + 0.05) / (y + 0.05);
	};
	const behind = (e) => {
		const layers = [];
		for (; e; e = e.parentElement) {
			layers.push(color(getComputedStyle(e).backgroundColor));
		}
		return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
	};
	const behindDrawn = (e) => { // the last shape before the text that contains its middle
		const box = e.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
		let under = behind(e.ownerSVGElement);
		for (const s of e.ownerSVGElement.querySelectorAll("rect, circle, polygon")) {
			const b = s.getBoundingClientRect();
			if (s.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING && x >= b.left && x <= b.right && y >= b.top && y <= b.bottom) {
				const fill = getComputedStyle(s).fill;
				under = fill === "none" ? under : over(color(fill), under);
			}
		}
		return under;
	};
	const faults = [];
	const check = (text, style, fore, back) => {
		const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
		const found = ratio(over(fore, back), back);
		if (found < (large ? 3 : 4.5)) {
			faults.push(found.toFixed(2) + ":1 " + text.trim().slice(0, 60));
		}
	};
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const text = walker.currentNode.data, e = walker.currentNode.parentElement;
		if (!text.trim() || /^(SCRIPT|STYLE|TITLE|DESC)$/i.test(e.tagName) || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
			continue;
		}
		const style = getComputedStyle(e);
		if (e.ownerSVGElement) {
			check(text, style, color(style.fill), behindDrawn(e));
		} else {
			check(text, style, color(style.color), behind(e));
		}
	}
	for (const e of document.querySelectorAll("input[placeholder]")) {
		const style = getComputedStyle(e, "::placeholder");
		check(e.placeholder, style, color(style.color), behind(e));
	}
	return faults;
})()
