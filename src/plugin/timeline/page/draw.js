/* SPDX-License-Identifier: MIT */
/* Draws what is looked at. What is not seen costs nothing. */

const canvas = document.getElementById("lanes");
const context = canvas.getContext("2d");
const FONT = 'system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';

let colours = {};
let solid = [], soft = [], stripes = [], softStripes = [];
let isDrawing = false;
let frames = 0;

function readColours() {
	const style = getComputedStyle(document.documentElement);

	for (const name of ["paper", "panel", "band", "line", "grid", "ink",
			"soft", "accent", "mark", "idle", "lightness", "chroma"])
		colours[name] = style.getPropertyValue("--" + name).trim();
	solid = tints.map((tint) => tintColour(tint, 1));
	soft = tints.map((tint) => tintColour(tint, .24));
	stripes = [];
	softStripes = [];
	overviewPicture = null;
}

function tintColour(tint, alpha) {
	const lightness = Number(colours.lightness);

	if (!tint)
		return `oklch(${lightness} .012 250 / ${alpha})`;
	return `oklch(${(lightness + tint.shade * .035).toFixed(3)} ` +
		`${colours.chroma} ${(tint.hue + tint.shade * 7).toFixed(1)} / ` +
		`${alpha})`;
}

/* For a thread that could run and does not; of soft colour, for an unsure name. */
function stripesOf(number, tinted = solid) {
	const made = tinted === soft ? softStripes : stripes;

	if (made[number])
		return made[number];
	const tile = document.createElement("canvas");

	tile.width = tile.height = 6;
	const pen = tile.getContext("2d");

	pen.strokeStyle = tinted[number];
	pen.lineWidth = 1.6;
	for (const shift of [-6, 0, 6]) {
		pen.beginPath();
		pen.moveTo(shift, 6);
		pen.lineTo(shift + 6, 0);
		pen.stroke();
	}
	made[number] = context.createPattern(tile, "repeat");
	return made[number];
}

function redraw() {
	if (isDrawing)
		return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		drawAll();
	});
}

function fitCanvas(element, pen) {
	const ratio = window.devicePixelRatio || 1;
	const { width, height } = element.getBoundingClientRect();

	element.width = Math.round(width * ratio);
	element.height = Math.round(height * ratio);
	pen.setTransform(ratio, 0, 0, ratio, 0, 0);
	return [width, height];
}

function resize() {
	[view.width, view.height] = fitCanvas(canvas, context);
	fitCanvas(overview, overviewContext);
	view.labels = Math.min(280, Math.max(150, view.width * .2));
	overviewPicture = null;
	layOut();
	redraw();
}

const widths = new Map();

function textWidth(text) {
	const key = context.font + text;

	if (!widths.has(key))
		widths.set(key, context.measureText(text).width);
	return widths.get(key);
}

/* As much of a text as has room; "" if that says nothing. */
function shorten(text, room) {
	if (textWidth(text) <= room)
		return text;
	let length = Math.floor(text.length * room / textWidth(text));

	while (length > 0 && textWidth(text.slice(0, length) + "…") > room)
		length--;
	return length > 1 ? text.slice(0, length) + "…" : "";
}

/* Steps of 1, 2 or 5 of some power of ten, at least 100 pixels wide. */
function axisStep() {
	const least = 100 / scale();
	const power = 10 ** Math.floor(Math.log10(least));

	return Math.max(1, [1, 2, 5, 10].map((digit) => digit * power)
		.find((step) => step >= least));
}

function drawAxis() {
	const step = axisStep();

	context.fillStyle = colours.panel;
	context.fillRect(0, 0, view.width, AXIS);
	context.fillStyle = colours.soft;
	context.font = `12px ${FONT}`;
	context.textBaseline = "middle";
	for (let time = Math.ceil(view.from / step) * step; time <= view.to;
			time += step) {
		const x = xOf(time);

		const text = axisTime(time, step);

		context.fillRect(x, AXIS - 5, 1, 5);
		if (x + 4 + textWidth(text) < view.width)
			context.fillText(text, x + 4, AXIS / 2);
	}
	context.fillStyle = colours.panel;
	context.fillRect(0, 0, view.labels, AXIS);
	context.fillStyle = colours.soft;
	context.fillText(shorten(base === null ? "threads" :
		`${calendarDay(0)} ${clockTime(0).slice(0, 12)}`, view.labels - 24), 14,
		AXIS / 2);
	context.fillStyle = colours.line;
	context.fillRect(0, AXIS - 1, view.width, 1);
}

function drawGrid() {
	const step = axisStep();

	context.fillStyle = colours.grid;
	for (let time = Math.ceil(view.from / step) * step; time <= view.to;
			time += step)
		context.fillRect(Math.round(xOf(time)), AXIS, 1, view.height);
}

/* Names: calls draw(x, end, place) for each that is in view. */
function eachName(thread, draw) {
	for (let place = namePlace(thread, view.from);
			place < thread.names.length; place++) {
		const begin = place === 0 ? Math.min(thread.begin,
			thread.names[0].begin) : thread.names[place].begin;
		const x = Math.max(view.labels, xOf(begin));
		const end = Math.min(lanesEnd(), xOf(nameEnd(thread, place)));

		if (begin > view.to)
			break;
		if (end >= view.labels)
			draw(x, end, place);
	}
}

function isFound(name) {
	return view.query && name.text.toLowerCase().includes(view.query);
}

/* The same name, which from here on may be the next one already. */
function goesOn(thread, place) {
	const name = thread.names[place];

	return name.source === "between" &&
		name.number === thread.names[place - 1].number;
}

function drawNames(thread, y, height) {
	let drawn = -1, marked = -1;

	context.font = `11px ${FONT}`;
	eachName(thread, (x, end, place) => {
		const name = thread.names[place];

		/* Many to a pixel: one of them. */
		if (end - drawn < .5)
			return;
		drawn = end;
		context.fillStyle = soft[name.number];
		if (name.source === "between")
			context.fillStyle = stripesOf(name.number, soft);
		context.fillRect(x, y, Math.max(1, end - x), height);
		if (isFound(name)) {
			context.strokeStyle = colours.accent;
			context.strokeRect(x + .5, y + .5,
				Math.max(1, end - x - 1), height - 1);
		}
		if (place > 0 && x > view.labels && !goesOn(thread, place)) {
			/* Many close by would hide the names. */
			context.globalAlpha = x - marked < 4 ? .3 : 1;
			context.fillStyle = colours.mark;
			context.fillRect(x, y - 1, name.more ? 3 : 1.5, height + 1);
			context.globalAlpha = 1;
			marked = x;
		}
		if (height < 12 || end - x < 26)
			return;
		context.fillStyle = colours.ink;
		context.fillText(shorten(name.text, end - x - 10), x + 6,
			y + height / 2 + .5);
	});
}

/* The colour at each time, asked for in their order. */
function colourAlong(thread) {
	let place = namePlace(thread, view.from);

	return (time) => {
		while (place + 1 < thread.names.length &&
				thread.names[place + 1].begin <= time)
			place++;
		return thread.names[place].number;
	};
}

function fillColumn(x, y, height, number, part) {
	context.globalAlpha = Math.min(1, .25 + .75 * part);
	context.fillStyle = solid[number];
	context.fillRect(x, y, 1, height);
	context.globalAlpha = 1;
}

/* Parts of a pixel add up to it. */
function drawTurns(thread, y, height) {
	const { begins, ends, busies, preempted, length } = thread.turns;
	const numberAt = colourAlong(thread);
	const pixels = scale();
	let column = -1, part = 0, number = 0;

	const flush = () => {
		if (column >= view.labels && part > 0)
			fillColumn(column, y, height, number, part);
		part = 0;
	};

	for (let i = Math.max(0, placeOf(begins, view.from)); i < length &&
			begins[i] <= view.to; i++) {
		const x = Math.max(view.labels, xOf(begins[i]));
		const end = Math.min(lanesEnd(), xOf(ends[i]));
		const turn = ends[i] - begins[i];
		const busy = turn > 0 ? busies[i] / turn : 1;

		number = numberAt(begins[i]);
		if (preempted[i])
			drawPreempted(thread, i, end, y, height, number);
		if (end < view.labels)
			continue;
		if (turn * pixels < 1.5) {
			if (Math.floor(x) !== column) {
				flush();
				column = Math.floor(x);
			}
			part += Math.max(.02, busies[i] * pixels);
			continue;
		}
		flush();
		context.globalAlpha = busy >= .999 ? 1 : .25 + .75 * busy;
		context.fillStyle = solid[number];
		context.fillRect(x, y, end - x, height);
		context.globalAlpha = 1;
	}
	flush();
}

function drawPreempted(thread, i, x, y, height, number) {
	const next = i + 1 < thread.turns.length ? thread.turns.begins[i + 1] :
		thread.end;
	const end = Math.min(lanesEnd(), xOf(next));

	x = Math.max(view.labels, x);
	if (end - x < 2)
		return;
	context.fillStyle = stripesOf(number);
	context.fillRect(x, y + 2, end - x, height - 4);
}

/* From its beginning to its end, a thread that does not run waits. */
function drawWaiting(thread, y, height) {
	const x = Math.max(view.labels, xOf(thread.begin));
	const end = Math.min(lanesEnd(), xOf(thread.end));

	if (end <= x)
		return;
	eachName(thread, (from, to, place) => {
		context.globalAlpha = .5;
		context.fillStyle = solid[thread.names[place].number];
		context.fillRect(from, y + height / 2 - .75, to - from, 1.5);
		context.globalAlpha = 1;
	});
}

/* Events for each pixel; those of a span share out over it. */
function countColumns(seen, columns) {
	const pixels = scale();
	let most = 0;

	for (let i = Math.max(0, placeOf(seen.begins, view.from));
			i < seen.length && seen.begins[i] <= view.to; i++) {
		const x = (seen.begins[i] - view.from) * pixels;
		const end = (seen.ends[i] - view.from) * pixels;
		const first = Math.max(0, Math.floor(x));
		const last = Math.min(columns.length - 1, Math.floor(end));
		const share = seen.counts[i] / (Math.floor(end) - Math.floor(x) + 1);

		for (let column = first; column <= last; column++) {
			columns[column] += share;
			most = Math.max(most, columns[column]);
		}
	}
	return most;
}

function drawEvents(thread, y, height) {
	const columns = new Float64Array(Math.ceil(lanesEnd() - view.labels));
	const most = countColumns(thread.seen, columns);
	const numberAt = colourAlong(thread);
	const full = Math.log1p(Math.max(most, 3));

	for (let column = 0; column < columns.length; column++) {
		if (columns[column] === 0)
			continue;
		const part = Math.log1p(columns[column]) / full;
		const tall = Math.max(2, height * part);

		context.globalAlpha = .5 + .5 * part;
		context.fillStyle = solid[numberAt(view.from +
			(column + .5) / scale())];
		context.fillRect(view.labels + column, y + height - tall, 1, tall);
	}
	context.globalAlpha = 1;
}

/* Below turns: that there are some. */
function drawTicks(thread, y) {
	const columns = new Float64Array(Math.ceil(lanesEnd() - view.labels));

	countColumns(thread.seen, columns);
	context.fillStyle = colours.ink;
	for (let column = 0; column < columns.length; column++) {
		if (columns[column] === 0)
			continue;
		context.globalAlpha = Math.min(.85,
			.3 + .2 * Math.log1p(columns[column]));
		context.fillRect(view.labels + column, y, 1, 3);
	}
	context.globalAlpha = 1;
}

function drawThread(row, y) {
	const { thread } = row;
	const names = view.isCompact ? 4 : 14;
	const top = y + (view.isCompact ? 1 : 2);
	const activity = top + names + 1;
	const tall = row.height - names - (view.isCompact ? 3 : 5);

	if (thread === view.chosen) {
		context.fillStyle = colours.accent;
		context.globalAlpha = .1;
		context.fillRect(0, y, view.width, row.height);
		context.globalAlpha = 1;
	}
	context.save();
	context.beginPath();
	context.rect(view.labels, y, lanesEnd() - view.labels, row.height);
	context.clip();
	drawNames(thread, top, names);
	if (thread.turns.length > 0) {
		drawWaiting(thread, activity, tall - 3);
		drawTurns(thread, activity, tall - 3);
		drawTicks(thread, activity + tall - 2.5);
	} else {
		context.globalAlpha = .35;
		drawBaseline(thread, activity + tall);
		context.globalAlpha = 1;
		drawEvents(thread, activity, tall);
	}
	context.restore();
	drawLabel(row, y);
}

function drawBaseline(thread, y) {
	eachName(thread, (x, end, place) => {
		context.fillStyle = solid[thread.names[place].number];
		context.fillRect(x, y - 1, end - x, 1);
	});
}

/* More names are not looked through for each frame. */
const NAMES_MAX = 300;

/* Of those in view, the one that lasts longest there. */
function mainName(thread) {
	let most = -1, found = namePlace(thread, Math.max(thread.begin,
		Math.min((view.from + view.to) / 2, thread.end)));

	if (thread.names.length > NAMES_MAX)
		return found;
	eachName(thread, (x, end, place) => {
		if (end - x > most) {
			most = end - x;
			found = place;
		}
	});
	return found;
}

/* What it is called under the pointer; else what it is called most. */
function labelName(thread) {
	const isAlive = view.cursor !== null && view.cursor >= thread.begin &&
		view.cursor <= thread.end;

	return thread.names[isAlive ? namePlace(thread, view.cursor) :
		mainName(thread)];
}

function drawLabel(row, y) {
	const { thread, height } = row;
	const name = labelName(thread);
	const id = thread.tid === undefined ? "" :
		thread.cpu === undefined ? String(thread.tid) :
			`CPU ${thread.cpu}`;
	const middle = y + height / 2 + .5;
	const x = row.isAlone ? 9 : 26;
	const room = view.labels - x - 36 - Math.max(36, id.length * 7);

	if (row.isAlone) {
		context.fillStyle = colours.line;
		context.fillRect(0, y, view.width, 1);
	}
	context.fillStyle = solid[name.number];
	context.beginPath();
	context.roundRect(x, middle - 5, 10, 10, 3);
	context.fill();
	context.font = `${isFound(name) || row.isAlone ? "600 " : ""}${view.isCompact ? 11 : 12.5}px ${FONT}`;
	context.fillStyle = colours.ink;
	context.fillText(shorten(name.text, room), x + 17, middle);
	context.font = `11px ${FONT}`;
	context.fillStyle = colours.soft;
	context.textAlign = "right";
	context.fillText(id, view.labels - 12, middle);
	context.textAlign = "left";
}

function drawProcess(row, y) {
	const { process, shown } = row;
	const isFolded = process.isFolded && !view.query;
	const middle = y + row.height / 2 + .5;
	const about = [];

	if (process.pid > 0)
		about.push(`${process.isVirtual ? "vpid" : "pid"} ${process.pid}`);
	if (shown.length > 1 || isFolded)
		about.push(countOf(shown.length, "thread"));
	if (process.host && new Set(data.hosts).size > 1)
		about.push(process.host);
	context.fillStyle = colours.band;
	context.fillRect(0, y, view.width, row.height);
	context.fillStyle = colours.line;
	context.fillRect(0, y, view.width, 1);
	context.fillStyle = colours.soft;
	context.beginPath();
	if (isFolded) {
		context.moveTo(12, middle - 4);
		context.lineTo(17, middle);
		context.lineTo(12, middle + 4);
	} else {
		context.moveTo(10, middle - 2.5);
		context.lineTo(18, middle - 2.5);
		context.lineTo(14, middle + 3);
	}
	context.fill();
	context.font = `600 ${view.isCompact ? 11.5 : 12.5}px ${FONT}`;
	context.fillStyle = colours.ink;
	const name = shorten(process.name, view.labels - 60);

	context.fillText(name, 26, middle);
	const x = 26 + textWidth(name) + 10;

	context.font = `11px ${FONT}`;
	context.fillStyle = colours.soft;
	context.fillText(about.join(" · "), x, middle);
}

function drawRows() {
	const first = Math.max(0, placeOf(view.rows, view.top, (row) => row.y));

	context.fillStyle = colours.line;
	context.fillRect(view.labels - .5, AXIS, 1, view.height);
	context.textBaseline = "middle";
	for (let i = first; i < view.rows.length; i++) {
		const row = view.rows[i];
		const y = AXIS + row.y - view.top;

		if (y > view.height)
			break;
		if (row.thread)
			drawThread(row, y);
		else
			drawProcess(row, y);
	}
}

function drawCursor() {
	if (view.range) {
		const x = xOf(Math.min(view.range.from, view.range.to));
		const width = Math.abs(view.range.to - view.range.from) * scale();

		context.fillStyle = colours.accent;
		context.globalAlpha = .18;
		context.fillRect(x, AXIS, width, view.height);
		context.globalAlpha = 1;
	}
	if (view.cursor === null)
		return;
	const x = xOf(view.cursor);

	if (x < view.labels || x > lanesEnd())
		return;
	context.fillStyle = colours.accent;
	context.fillRect(Math.round(x), AXIS - 6, 1, view.height);
	if (base === null)
		return;
	const text = clockTime(view.cursor);

	context.font = `600 11px ${FONT}`;
	const width = textWidth(text) + 12;
	const left = Math.min(Math.max(view.labels, x - width / 2),
		lanesEnd() - width);

	context.beginPath();
	context.roundRect(left, 4, width, AXIS - 9, 5);
	context.fill();
	context.fillStyle = colours.paper;
	context.textBaseline = "middle";
	context.fillText(text, left + 6, AXIS / 2);
}

function drawScroll() {
	const bar = document.getElementById("scroll");
	const thumb = document.getElementById("thumb");
	const visible = view.height - AXIS;

	bar.hidden = view.rowsHeight <= visible;
	thumb.style.height = `${100 * visible / view.rowsHeight}%`;
	thumb.style.top = `${100 * view.top / view.rowsHeight}%`;
}

function drawAll() {
	context.fillStyle = colours.paper;
	context.fillRect(0, 0, view.width, view.height);
	drawGrid();
	drawRows();
	drawAxis();
	drawCursor();
	drawOverview();
	drawScroll();
	frames++;
}
