/* SPDX-License-Identifier: MIT */
/* The strip at the top: all events, and where the view is in them. */

const overview = document.getElementById("overview");
const overviewContext = overview.getContext("2d");

/* Of the whole trace, made once. */
let overviewPicture = null;

function paintOverview() {
	const { width, height } = overview.getBoundingClientRect();
	const columns = new Float64Array(Math.max(1,
		Math.ceil(width - view.labels - 14)));
	const pixels = columns.length / span;
	let most = 1;

	for (const { seen, isIdle } of threads) {
		for (let i = 0; !isIdle && i < seen.length; i++) {
			const column = Math.min(columns.length - 1,
				Math.floor(seen.begins[i] * pixels));

			columns[column] += seen.counts[i];
			most = Math.max(most, columns[column]);
		}
	}
	const tall = (count) => (height - 10) * Math.log1p(count) /
		Math.log1p(most);

	return { columns, tall, height };
}

function drawOverview() {
	overviewPicture = overviewPicture || paintOverview();
	const { columns, tall, height } = overviewPicture;
	const pixels = columns.length / span;
	const pen = overviewContext;
	const from = view.labels + Math.max(0, view.from) * pixels;
	const to = view.labels + Math.min(span, view.to) * pixels;

	pen.fillStyle = colours.paper;
	pen.fillRect(0, 0, view.width, height);
	pen.fillStyle = colours.soft;
	pen.font = `12px ${FONT}`;
	pen.textBaseline = "middle";
	pen.fillText("events, all threads", 14, height / 2);
	pen.globalAlpha = .55;
	columns.forEach((count, column) => {
		if (count > 0)
			pen.fillRect(view.labels + column,
				height - 3 - tall(count), 1, tall(count));
	});
	pen.globalAlpha = .16;
	pen.fillStyle = colours.accent;
	pen.fillRect(from, 0, Math.max(2, to - from), height);
	pen.globalAlpha = 1;
	pen.fillRect(from, 0, 1.5, height);
	pen.fillRect(Math.max(from + 2, to - 1.5), 0, 1.5, height);
}
